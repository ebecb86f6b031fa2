"""Files to look at: HTML player, glTF, pictures, films."""

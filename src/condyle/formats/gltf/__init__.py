"""glTF 2.0 documents as plain arrays: nodes, skins and animations. Nothing is named or scaled here."""

"""What a trial leaves: tables, pictures, a page, a comparison of two, and steps that need no repeating."""

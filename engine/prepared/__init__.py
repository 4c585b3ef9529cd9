"""Games prepared in advance, and the script files that hold them."""

"""PDF documents. Each is a pure function from the archive of a game and a language to the bytes of a PDF."""

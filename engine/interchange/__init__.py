"""Reading of saved games of the program Eliot."""

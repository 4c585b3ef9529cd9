"""The move search: every legal move of a position, or the best ones. `solver.py` is the public interface."""

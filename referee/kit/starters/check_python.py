"""Exits with 0 if the kit has packages for the version of the Python that runs this; readable by any Python."""

import os
import sys

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pythons.txt")) as file:
    sys.exit("{}.{}".format(*sys.version_info) not in file.read().split())

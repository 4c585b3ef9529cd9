"""The live hall: sockets, the hub that feeds them, the intake of slips, the closing of turns."""

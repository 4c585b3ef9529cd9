"""The live server of a process, the channels of its rooms and messages between processes."""

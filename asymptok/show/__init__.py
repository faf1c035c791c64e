"""One way to print each kind of object."""

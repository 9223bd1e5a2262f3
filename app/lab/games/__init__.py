"""The lab's knowledge of single games, one optional file each, named by its slug."""

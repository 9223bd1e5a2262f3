"""The clients that others build on, packaged from this tree: `mj sdk js OUT`, `mj sdk python OUT`.

A package holds the very files that the page and the test kit use; nothing is written twice.
"""

"""Words of people: which names and texts are accepted, and which names look alike. Operators change the lists."""

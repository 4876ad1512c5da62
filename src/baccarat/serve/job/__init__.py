"""Jobs that go on by themselves while a house is open."""

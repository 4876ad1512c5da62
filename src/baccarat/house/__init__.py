"""Many tables, without I/O: books and cage, win, progressives, the pit and its notices, forms, the gaming day."""

"""What is stored of every act: the form in which commands and events are read, and the bytes that are hashed."""

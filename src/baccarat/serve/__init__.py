"""The live house: tables served to many people at the same time; every act is durable before it is acknowledged."""

"""A client of a served house: it joins tables, follows what it may see, and sends commands that take effect once.

    async with Client("http://localhost:8414") as client:
        await client.visit()
        async with client.table("ma-midi-4") as table:
            await table.do("sit", seat=3)

Connections may break at any time. The client reconnects, resumes from its last frame, and sends every unanswered
command again under the same id: it takes effect at most once, and the answer is the same.
"""

from baccarat.client.client import Client
from baccarat.client.identity import command_id
from baccarat.client.seat import Lost, SeatAnswer, TableClient

__all__ = ["Client", "Lost", "SeatAnswer", "TableClient", "command_id"]

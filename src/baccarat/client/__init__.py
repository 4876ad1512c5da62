"""A client of a house that is served: it joins tables, follows what it may see, and sends commands that arrive once.

    async with Client("http://localhost:8414") as client:
        await client.visit()
        async with client.table("ma-midi-4") as table:
            await table.do("sit", seat=3)

Connections may break at any time. The client comes back, goes on from the frame that it has, and sends again whatever
was not answered, under the same id: it is done at most once, and the answer is the same.
"""

from baccarat.client.client import Client
from baccarat.client.identity import command_id
from baccarat.client.seat import Lost, SeatAnswer, TableClient

__all__ = ["Client", "Lost", "SeatAnswer", "TableClient", "command_id"]

"""The form of command ids. Clients make them (`baccarat.client.command_id`)."""

from __future__ import annotations

import re

UUID7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
"""A UUID, version 7, in lower case; it begins with the time, so that ids sort in the order in which they were made."""

is_command_id = re.compile(UUID7).fullmatch

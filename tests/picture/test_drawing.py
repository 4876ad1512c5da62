"""Browsers keep pictures by the number of the way of drawing: it is raised whenever one of them changes."""

from __future__ import annotations

import hashlib

from baccarat.law.rulebook import rulebook
from baccarat.picture import DRAWING
from baccarat.picture.band import win_band
from baccarat.picture.card import deck
from baccarat.picture.chip import chips
from baccarat.picture.felt import felt
from baccarat.picture.mark import marks
from baccarat.picture.road import read_marks, road_picture
from baccarat.picture.steps import steps_picture
from baccarat.play.road import Road, roads

SHOE = roads(read_marks("TBBbPBnPPPnPPPpPPBBTTBnPBBBPPbB"))
KNOWN = {2: "adfe67ab4e6f6184"}
"""The pictures of each way of drawing, as one hash. Of a change that is meant, give the next number its hash, and
raise `DRAWING` in `picture/__init__.py` and in `picture.js`; only the last one needs to stay."""


def test_the_way_of_drawing_is_raised_whenever_a_picture_changes() -> None:
    drawn = [
        deck(), deck(four_colours=True), chips(), marks(),
        *(felt(rulebook(name)) for name in ("ma-midi-4", "ma-midi-4-ez", "ma-midi-4-royal9", "nj-punto-banco")),
        *(road_picture(SHOE, road) for road in Road),
        steps_picture(rulebook("ma-midi-4")),
        win_band(theoretical=70_100, deviation=223_500, win=-72_400),
    ]  # fmt: skip
    found = hashlib.sha256("".join(drawn).encode()).hexdigest()[:16]
    assert KNOWN[DRAWING] == found, "a picture has changed: see KNOWN"

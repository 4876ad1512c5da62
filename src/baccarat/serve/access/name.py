"""Names to sign on with: the same name however it is written, and none that only looks like another person's.

The name itself is in the directory, where it can be erased. What is looked up is a keyed hash of it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

from baccarat.record.directory import is_id
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.table.two_persons import plain_name

MOST_SIGNS = 64
LONGEST_TYPED = 256
"""Longer names are refused unread: normalizing them could take long, or make them longer."""
SIGNS = " .'’-_@+"
"""What a name may contain besides letters and digits."""
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Invisible characters that count as letters or marks (Unicode: Default_Ignorable_Code_Point)."""
LOOK_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC"})
"""Scripts that share the shapes of letters: a name in two of them is made to be mistaken for another."""


def sign_on_name(typed: str) -> str | Denied:
    """The normal form of a name, however it was typed; or why it cannot be a name."""
    if not typed or len(typed) > LONGEST_TYPED:
        return _bad_name(f"it must have between 1 and {MOST_SIGNS} characters")
    if _IGNORED.search(typed):
        return _bad_name("a character in it cannot be seen")
    name = _normal_form(typed)
    if not 1 <= len(name) <= MOST_SIGNS:
        return _bad_name(f"it must have between 1 and {MOST_SIGNS} characters")
    if not all(unicodedata.category(sign)[0] in "LMN" or sign in SIGNS for sign in name):
        return _bad_name("it may have letters, digits, spaces and . ' - _ @ +")
    if unicodedata.category(name[0])[0] not in "LN":
        return _bad_name("it must begin with a letter or a digit")
    if _IGNORED.search(name) or any(_marks(name, index) > 2 for index in range(len(name))):
        return _bad_name("a character in it cannot be seen or distinguished")
    if len(_scripts(name) & LOOK_ALIKE) > 1:
        return _bad_name("it mixes letters of several scripts that look alike")
    if is_id(name):
        return _bad_name("it has the form of an id")
    return name


def sign_on_key(key: bytes, name: str) -> bytes:
    """What is stored of a normalized name; `key` is the store's, so that stores cannot be compared by it."""
    return hmac.new(key, b"sign-on\n" + name.encode(), hashlib.sha256).digest()


def _normal_form(typed: str) -> str:
    """A normalized name; folding case may require composing again, so this repeats until nothing changes."""
    name = plain_name(typed)
    while (again := plain_name(name)) != name:
        name = again
    return name


def _marks(name: str, index: int) -> int:
    """How many marks are on one letter from here on."""
    count = 0
    while index < len(name) and unicodedata.combining(name[index]):
        count, index = count + 1, index + 1
    return count


def _scripts(name: str) -> set[str]:
    """The scripts of the letters of a name, as Unicode names them."""
    return {unicodedata.name(sign, "").partition(" ")[0] for sign in name if sign.isalpha()}


def _bad_name(what: str) -> Denied:
    return make_denial(Denial.BAD_NAME, what=what)

"""What a house needs before it may serve real tables: none of it has a default, and all that is missing is reported."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from baccarat.record.key import UnreadableKey, check_name
from baccarat.serve.runtime.seal_key import read_sealing_key
from baccarat.serve.runtime.signing_key import read_signer
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import StoreError

SEAL, SIGN = "baccarat journal key --seal FILE", "baccarat journal key FILE --new HOUSE"
NAME = 'the name of the house, which is in every checkpoint: house = "example.org/house"'
ORIGIN = 'the address that browsers see, over TLS: origin = "ADDRESS", which begins with https'


def missing_for_production(setting: Setting) -> list[str]:
    """Everything that is missing or cannot be used, each with how to provide it."""
    lacks = [*_name(setting), *_origin(setting), *_keys(setting)]
    if setting.sign_key and setting.sign_key in setting.seal_keys:
        lacks.append(f"two keys: {setting.sign_key} cannot both seal and sign")
    return lacks


def _name(setting: Setting) -> list[str]:
    if not setting.house:
        return [NAME]
    try:
        check_name(setting.house)
    except UnreadableKey as error:
        return [f"another name of the house: {error}"]
    return []


def _origin(setting: Setting) -> list[str]:
    parts = urlsplit(setting.origin)
    if parts.scheme != "https" or not parts.netloc:
        return [ORIGIN]
    if setting.origin != f"https://{parts.netloc}":
        return [f"an origin without a path: origin = {parts.scheme}://{parts.netloc}, not {setting.origin}"]
    return []


def _keys(setting: Setting) -> list[str]:
    lacks = []
    seal, sign = "the key that seeds are sealed under", "the key that signs checkpoints"
    found = [("seal_key", seal, SEAL, each) for each in setting.seal_keys or [""]]
    for name, what, how, given in (*found, ("sign_key", sign, SIGN, setting.sign_key)):
        path = Path(given)
        if not given:
            lacks.append(f'{what}: {name} = "FILE", made by `{how}`')
        elif not path.is_file():
            lacks.append(f"{what}: there is no file {path}; it is made by `{how}`")
        elif not setting.is_postgres and path.resolve().parent == setting.folder:
            lacks.append(f"{what} in another folder than the database: anyone who takes one would have both ({path})")
        else:
            lacks += _key_faults(what, path, is_seal=name == "seal_key", house=setting.house)
    return lacks


def _key_faults(what: str, path: Path, *, is_seal: bool, house: str) -> list[str]:
    try:
        if is_seal:
            read_sealing_key(path)
        else:
            read_signer(path, house=house)
    except StoreError as fault:
        return [f"{what}, fit for use: {fault}"]
    return []

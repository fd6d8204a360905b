"""The IDs in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from gnubg_nactation.backgammon.ids import GNUBG_LABEL, MATCH_LABEL, XGID_LABEL
from gnubg_nactation.backgammon.ogid import OGID
from gnubg_nactation.values import NamedTuple


class IdKind(Enum):
    """The kinds of IDs; only a Position ID alone may look like something else."""

    XGID = "XGID"
    OGID = "OGID"
    GNUBG_ID = "Position ID and Match ID"
    POSITION_ID = "Position ID"


class IdInText(NamedTuple):
    """An ID in a text, with its label from `start` up to `end`; `name` is for `parse_state`."""

    kind: IdKind
    start: int
    end: int
    name: str
    is_labelled: bool

    @property
    def is_certain(self) -> bool:
        """Whether this cannot be a mere word."""
        return self.is_labelled or self.kind is not IdKind.POSITION_ID


_ID_IN_TEXT = re.compile(
    rf"""(?: (?: (?<![A-Z=]) XGID=
              | (?<![A-Z0-9=]) (?: {XGID_LABEL} \s{{0,9}} [=:] \s{{0,9}} | (?<!-) )
                (?= [-A-P]{{26}} (?: :-?\w{{1,5}} ){{8}} ) )
            (?P<xgid> [-A-Z0-9]{{1,40}} (?: : -?[A-Z0-9]{{1,5}} ){{0,9}} )
          | (?<![\w=]) (?: OGID \s{{0,9}} [=:] \s{{0,9}} )? (?P<ogid> (?-i:{OGID}) )
          | (?<![\w+/-])
            (?: {GNUBG_LABEL} (?: \s{{0,9}} [=:] \s{{0,9}} | \s{{1,9}} ) )?
            (?P<position> [A-Z0-9+/]{{14}} )
            (?: (?: : | [\s,;:]{{1,40}} {MATCH_LABEL} \s{{0,9}} [=:]? \s{{0,9}} )
                (?P<match> [A-Z0-9+/]{{12}} )
              | (?!:\w) )
        ) (?! [\w+/] | :[0-9] )""",
    re.VERBOSE | re.IGNORECASE,
)


def find_ids(text: str) -> Iterator[IdInText]:
    """The texts that look like XGIDs, OGIDs and gnubg IDs, unchecked."""
    for match in _ID_IN_TEXT.finditer(text):
        xgid, ogid, position, match_id = match.group("xgid", "ogid", "position", "match")
        group = "xgid" if xgid else "ogid" if ogid else "position"
        is_labelled = match.start() < match.start(group)
        if ogid:
            kind, name = IdKind.OGID, ogid
        elif xgid:
            kind, name = IdKind.XGID, f"XGID={xgid}" if is_labelled else xgid
        elif match_id:
            kind, name = IdKind.GNUBG_ID, f"{position}:{match_id}"
        else:
            kind, name = IdKind.POSITION_ID, position
        yield IdInText(kind, *match.span(), name, is_labelled)

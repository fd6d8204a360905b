"""eXtreme Gammon's files (.xg), with the analysis that they hold, by the extra `xg`.

`archive` takes the file apart, within limits; `reading` makes a Match of the records, `analysis`
what XG thinks of them, `remarks` the comments, most of which `rtf` reads.
"""

from __future__ import annotations

from gnubg_nactation.files.xg.binary import read

__all__ = ["read"]

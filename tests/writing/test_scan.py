"""Characters with their marks, from which sequences, nacbracs and single names are read."""

from __future__ import annotations

import pytest

from gnubg_nactation.errors import MalformedError
from gnubg_nactation.writing.scan import Scan


@pytest.mark.parametrize(
    ("text", "names", "rest"),
    [
        ("31P-", "P", "-"),
        ("22M_-", "M_", "-"),
        ("22<u>M</u>_-", "M_", "-"),
        ("22e.-", "e. e", "-"),
        ("22[u]e[/u].-", "e_", ".-"),
        ("22e\u0323.-", "e.", ".-"),
        ("31P.-", "P", ".-"),
        ("31a{4}-", "a{4}", "-"),
        ("31*a*-", "a{4}", "-"),
        ("*31a*-", "a", "-"),
        ("31<font color=red>**P**</font>-", "P{13}", "-"),
        ("<font color=red>31**P**</font>-", "P{5}", "-"),
        ("22B.{3}", "", ""),
        ("31P_", "", ""),
    ],
)
def test_names(text: str, names: str, rest: str) -> None:
    scan = Scan(text)
    if not names:
        with pytest.raises(MalformedError, match="not a Nactation") as caught:
            scan.names(2, scan.glyphs[1], (".", ""))
        assert (caught.value.text, caught.value.at) == (text, 2)
        return
    found, end = scan.names(2, scan.glyphs[1], (".", ""))
    assert " ".join(map(str, found)) == names
    assert scan.bare[end:] == rest

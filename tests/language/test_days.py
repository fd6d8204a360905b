"""The days of posts, from the headers that forums, chats and blogs write."""

from __future__ import annotations

import pytest

from gnubg_nactation.language.days import posts_in


@pytest.mark.parametrize(
    ("header", "day"),
    [
        ("Date: Thursday, 31 December 2009", "2009-12-31"),
        ("Posted By: Ian\nDate: Friday, 29 November 2013, at 5:48 p.m.", "2013-11-29"),
        ("Posted by Ian on 8/19/10", "2010-08-19"),
        ("Posted: 8/19/2010 3:12 PM", "2010-08-19"),
        ("Posted on 19th Aug. 2010 by Tom", "2010-08-19"),
        ("Post by Ian \u00bb Thu Aug 19, 2010 3:12 pm", "2010-08-19"),
        ("by Ian7 \u00bb Thu Aug 19, 2010 3:12 pm", "2010-08-19"),
        ("Posted by Ian on 19-Aug-2010", "2010-08-19"),
        ("> **Date:** 2010-08-19", "2010-08-19"),
        ("Date: 19.8.2010", "2010-08-19"),  # the day comes first before dots
        ("Published 19/8/2010", "2010-08-19"),  # there is no 19th month
        ("posted 5/9/11", "2011-05-09"),  # May or September, the usage is the same
        ("[2010-08-19 12:04] joe: hi", "2010-08-19"),
        ("August 19, 2010", "2010-08-19"),
        ("Thursday, August 19, 2010 at 3:12 p.m.", "2010-08-19"),
    ],
)
def test_headers_have_the_day(header: str, day: str) -> None:
    assert [(post.start, post.day) for post in posts_in(f"{header}\n\nI like 43Z.\n")] == [(0, day)]


@pytest.mark.parametrize(
    "text",
    [
        "On 3 May 2010 I met him.",
        "2010-08-19 was a good day.",
        "by Ian on 19 August 2010, the book is out.",
        "posted 8/9/10",  # before or after the usage of R changed, at the end of August
        "Date: 31 February 2010",
        "Date: 2010-13-01",
        "Joined: 14 August 2006",
        "Posted By: Ian",
        "31: 8/5 6/5",
    ],
)
def test_other_lines_have_none(text: str) -> None:
    assert posts_in(f"{text}\n\nI like 43Z.\n") == []


def test_each_post_of_a_thread_has_its_day() -> None:
    text = "Re: B\n\nDate: 31 December 2009\nOne.\n\nDate: 1 March 2016\nTwo.\n"
    first, second = posts_in(text)
    assert (first.start, first.day, first.dialect.year) == (0, "2009-12-31", "2009")
    assert (second.start, second.day) == (text.index("Date: 1 March"), "2016-03-01")
    assert second.dialect.year == "current"

"""A tree of SVG, written as by ElementTree, which takes longer to import than to use."""

from __future__ import annotations


class Branch:
    """An element: its attributes in order, then its text, then the branches that hang on it."""

    __slots__ = ("_branches", "attributes", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], text: str = "") -> None:
        self.tag, self.attributes, self.text = tag, attributes, text
        self._branches: list[Branch] = []

    def add(self, tag: str, attributes: dict[str, str], text: str = "") -> Branch:
        """A new branch of this one."""
        branch = Branch(tag, attributes, text)
        self._branches.append(branch)
        return branch

    def __str__(self) -> str:
        """The element as it stands in a file; what XML forbids must not be in it."""
        head = self.tag + "".join(
            [f' {name}="{_escape(value)}"' for name, value in self.attributes.items()]
        )
        inside = _escape(self.text, quote='"') + "".join(map(str, self._branches))
        return f"<{head}>{inside}</{self.tag}>" if inside else f"<{head} />"


def _escape(text: str, quote: str = "&quot;") -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', quote)

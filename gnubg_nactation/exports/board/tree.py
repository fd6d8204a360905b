"""A tree of SVG elements. ElementTree, which writes the same, is slow to import."""

from __future__ import annotations


class Branch:
    """An element with its attributes, text and branches, in this order."""

    __slots__ = ("_branches", "attributes", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], text: str = "") -> None:
        self.tag, self.attributes, self.text = tag, attributes, text
        self._branches: list[Branch] = []

    def add(self, tag: str, attributes: dict[str, str], text: str = "") -> Branch:
        """Add and return a new branch."""
        branch = Branch(tag, attributes, text)
        self._branches.append(branch)
        return branch

    def __str__(self) -> str:
        """The element as XML. Its texts must not have characters that XML forbids."""
        head = self.tag + "".join(
            [f' {name}="{_escape(value)}"' for name, value in self.attributes.items()]
        )
        inside = _escape(self.text, quote='"') + "".join(map(str, self._branches))
        return f"<{head}>{inside}</{self.tag}>" if inside else f"<{head} />"


def _escape(text: str, quote: str = "&quot;") -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', quote)

"""The commands: a module each, named as it is typed, with - written as _."""

from __future__ import annotations

# What `nactate --help` lists. The modules are not imported for it: that would take as long as
# annotating a match.
GROUPS = {
    "Annotate": {
        "annotate": "annotate matches with Nactation",
        "transcribe": "turn a score sheet into a match file",
        "sequence": "print the sequence that leads to a turn of a match",
        "name": "name files by their sequences",
    },
    "Read and check": {
        "decode": "replay a sequence such as 54S-63R-31P",
        "read": "find the Nactation in a post or a chapter",
        "check": "proof-read a sequence or a text",
        "encode": "turn plays such as `31: 8/5 6/5` into a sequence",
        "same": "check whether two sequences reach the same position",
        "explain": "explain why a play has its character",
        "plays": "list the legal plays of a roll with their characters",
        "alphabet": "show all characters, or explain one",
    },
    "Equities": {
        "nacbrac": "rank the best plays of a roll, as in [P @87 H94]",
        "scores": "show the best play of a roll at every score",
        "replies": "chart the replies to the opening moves",
        "book": "compute a book of the first rolls",
    },
    "Study": {
        "index": "store your matches in a database",
        "explore": "see what was played in a position and what it cost",
        "find": "find games with a sequence, a play or a position",
        "leaks": "list your most expensive mistakes",
        "stats": "show your rating and luck by month and opponent",
        "drill": "practise letters and plays",
        "cards": "make Anki flashcards",
    },
    "Publish": {
        "post": "write a sequence, position or decision for a forum",
        "board": "draw a position as text, SVG or PNG",
        "card": "draw a decision as a picture for links and phones",
        "playground": "build the web page that runs this program in a browser",
    },
    "Set up": {
        "gnubg-setup": "add the Nactation menu to GNU Backgammon",
        "completion": "print the completion script of a shell",
        "manpage": "print the manual page",
    },
}

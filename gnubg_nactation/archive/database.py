"""The database of an archive: a file of SQLite, its tables, and how it is opened."""

from __future__ import annotations

__all__ = ["SCHEMA", "UNIT", "VERSION"]

VERSION = 1  # of the tables, to be raised with them
_APPLICATION = 0x4E616374  # "Nact", by which a file is known as one of ours
UNIT = 100_000  # what equities, errors and luck are counted in: this many make a point

# `files` are those that were read, or could not be (`problem`). A match that stands in several
# files is `counted` in one of them, and only that one has games and turns: the one with more
# analysis or, among equals, the first by its path.
# `players` of a match and a game are in the order of Player; `winner`, `player` and `owner` are
# Players. `date` is ISO where it can be read as a date, else empty. `odd` says why the results of
# a match or game are left out of every mean; empty if they are not.
# `sequence` has one token for each turn of the game, as far as all can be written.
# A turn is one roll or one cube action (`roll` 0, its `nactation` the words of CubeAct). `position`
# is the Position ID in bytes, numbered from `player`, who acts. `error` is what the play or the cube
# action lost, `missed` what not doubling before the roll lost, `best` the Nactation of the
# best play where another one was made. `result` are the points that the game brought `player`,
# `adjusted` the same without the luck of all later rolls; NULL where they are not known.
SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    digest BLOB NOT NULL,
    made TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT ''
);
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE handles (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE levels (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files,
    place INTEGER NOT NULL,
    content BLOB NOT NULL,
    analysed INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    first INTEGER NOT NULL REFERENCES players,
    second INTEGER NOT NULL REFERENCES players,
    event TEXT NOT NULL,
    date TEXT NOT NULL,
    length INTEGER NOT NULL,
    jacoby INTEGER NOT NULL,
    odd TEXT NOT NULL DEFAULT ''
);
CREATE INDEX matches_by_file ON matches (file);
CREATE INDEX matches_by_content ON matches (content);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    first_score INTEGER NOT NULL,
    second_score INTEGER NOT NULL,
    crawford INTEGER NOT NULL,
    winner INTEGER,
    points INTEGER NOT NULL,
    odd TEXT NOT NULL DEFAULT '',
    sequence TEXT NOT NULL
);
CREATE INDEX games_by_match ON games (match);
CREATE TABLE turns (
    position BLOB NOT NULL,
    roll INTEGER NOT NULL,
    game INTEGER NOT NULL REFERENCES games,
    turn INTEGER NOT NULL,
    player INTEGER NOT NULL,
    cube INTEGER NOT NULL,
    owner INTEGER,
    nactation TEXT NOT NULL,
    play TEXT NOT NULL,
    result INTEGER,
    adjusted INTEGER,
    luck INTEGER,
    error INTEGER,
    missed INTEGER,
    level INTEGER REFERENCES levels,
    best TEXT,
    PRIMARY KEY (position, roll, game, turn)
) WITHOUT ROWID;
"""

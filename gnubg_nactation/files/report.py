"""gnubg's text reports (`export match text`): a drawn board for each turn, with the analysis.

gnubg writes a file for each game. The words depend on its language and the decimals on its locale,
so lines are recognised by their shape. The Position ID and Match ID above each board say what the
board shows; a turn whose line contradicts them is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from gnubg_nactation.backgammon.analysis import (
    Candidate,
    CubeAct,
    CubeAnalysis,
    ErrorMark,
    Luck,
    MoveAnalysis,
    Odds,
    PlayAnalysis,
)
from gnubg_nactation.backgammon.ids import parse_gnubg_id
from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    SetCube,
    SetPosition,
    Take,
)
from gnubg_nactation.backgammon.match_equity import winning_chances
from gnubg_nactation.backgammon.notation import Hop, force_hops, parse_hops
from gnubg_nactation.backgammon.position import STANDARD, VARIATIONS, Position
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.files.figures import Figures
from gnubg_nactation.files.mat import decode_text
from gnubg_nactation.showing import quoted
from gnubg_nactation.values import NamedTuple, TypeVar, replace

_Kind = TypeVar("_Kind")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


def _by_word(texts: Mapping[_Kind, str]) -> dict[str, _Kind]:
    return {word: kind for kind, text in texts.items() for word in text.split("|")}


# The words of the languages of gnubg 1.07. What gnubg does not translate is English.
_TAKES = _words(
    "accepts|přijímá|accepterer|nimmt an|acepta|ottaa tuplauksen vastaan|accepte|þiggur|accetta"
    "|承認|acceptă"
)
_DROPS = _words(
    "rejects|odmítá|afslår|lehnt ab|rechaza|ei ota vastaan|refuse|hafnar|rifiuta|拒否|refuză"
)
_BEAVERS = _words("doubles|dobler|tuplasi|double")
_NO_DOUBLE = _words(
    "no double|no redouble|nezdvojnásobovat|ingen dobling|kein doppel|no doblar|ei tuplausta"
    "|pas de double|non raddoppiare|ノーダブル|fără dublare"
)
_DOUBLE_TAKE = _words(
    "double, take|redouble, take|double, beaver|redouble, beaver|zdvojnásobit, přijmout"
    "|zdvojnásobit, bobr|dobling, take|redobling, take|dobling, bæver|doppel, annahme"
    "|redoppel, annahme|doppel, beaver|doblar, tomar|redoblar, tomar|doblar, «beaver» (redoblar)"
    "|tuplaus, otto|uusintatuplaus, otto|tuplaus, beaver|double, accepte|redouble, accepte"
    "|doppia, accetta|ridoppia, accetta|doppia, beaver|ダブル、テイク|リダブル、テイク"
    "|ダブル、ビーバー|dublare, ia|redublare, ia|dublare, castor|vido, al"
)
_COMMENT = _words(
    "annotation|komentář|notering|kommentare|anotación|huomautus|annotazione|adnotare"
)
_INFORMATION = _by_word(
    {
        "EventDate": "date|datum|dato|fecha|päivä|data|日時|dată|дата",
        "Event": "event|událost|begivenhed|turnier|evento|tapahtuma|rencontre|イベント|eveniment"
        "|событие",
        "Round": "round|oblý|rund|runde|redondeada|kierros|arrondis|tonda|丸型|rotund",
        "Site": "place|místo|sted|ort|lugar|paikka|lieu|luogo|場所|loc|место",
        "Transcriber": "annotator|komentátor|notar|kommentator|anotador|kirjuri|annotateur|note di"
        "|注記|adnotator",
        "": "comment|poznámka|kommentar|comentario|kommentti|commentaires|commenti|コメント"
        "|comentariu|комментарий",
    }
)
_MARKS = _by_word(
    {
        ErrorMark.DOUBTFUL: "doubtful|pochybný|tvivlsom|zweifelhaft|dudoso|kyseenalainen|douteux"
        "|vafasamt|dubbia|疑わしい|îndoielnic|şüpheli",
        ErrorMark.BAD: "bad|špatný|dårlig|schlecht|malo|huono|mauvais|slæmt|brutta|悪い|slab|kötü",
        ErrorMark.VERY_BAD: "very bad|velmi špatný|meget dårlig|sehr schlecht|muy malo|hyvin huono"
        "|très mauvais|mjög slæmt|molto brutta|非常に悪い|foarte slab|çok kötü",
    }
)
_LUCK = _by_word(
    {
        Luck.LUCKY: "lucky|šťastný|heldigt|glücklich|afortunado|onnekas|chanceux|heppni|fortunato"
        "|幸運|norocos|şansl\u0131",
        Luck.UNLUCKY: "unlucky|smolný|uheldigt|unglücklich|desafortunado|ei onnekas|malchanceux"
        "|óheppni|sfortunato|不運|nenorocos|şanss\u0131z",
        Luck.VERY_LUCKY: "very lucky|velmi šťastný|meget heldigt|sehr glücklich|muy afortunado"
        "|hyvin onnekas|très chanceux|mikil heppni|molto fortunato|非常に幸運|foarte norocos"
        "|çok şansl\u0131",
        Luck.VERY_UNLUCKY: "very unlucky|velmi smolný|meget uheldigt|sehr unglücklich"
        "|muy desafortunado|hyvin ei onnekas|très malchanceux|mikil óheppni|molto sfortunato"
        "|非常に不運|foarte nenorocos|çok şans\u0131z",
    }
)
_LONGEST_FIRST = sorted([*_MARKS, *_LUCK], key=len, reverse=True)  # `lucky` is part of `unlucky`

_MAX_LINE_CHARS = 500  # a name has at most 31 bytes
_MAX_BOARD_LINES = 20

_SCORE = re.compile(
    r"[^()\d]{1,60}\([^()\d]{0,40}(?P<games>\d{1,4})[^()\d]{0,40}\)[^:]{0,20}: ?"
    r"(?P<first>.+) (?P<first_points>\d{1,5}), (?P<second>.+) (?P<second_points>\d{1,5})"
    r"(?: \([^()\d]{0,60}(?P<length>\d{1,5})[^()\d]{0,60}\))?(?:,[^,()]{1,60})?"
)
_HEADER = re.compile(r"\D{1,60}(\d{1,5}) ?: ")
_POSITION_ID = re.compile(r"\s?\S.{0,60}: *([A-Za-z0-9+/]{14})\s*")
_MATCH_ID = re.compile(r"\s+\S.{0,40}: *([A-Za-z0-9+/]{12})\s*")
_RULER = re.compile(r"\s*\+[-0-9]{30,60}\+\s+([OX]): (.*)")
_CUBE_OWNED = re.compile(r"\s+\([^()]{1,40}: ?\d{1,5}\)\s*\Z")
_ACTION = re.compile(r"\*[. ](?! )(.*)")
_HOP = r"(?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+(?:\([1-4]\)\*?)?"
_PLAY = re.compile(rf"(?<!\S){_HOP}(?: +{_HOP})*(?!\S)")
_NUMBER = r"[-+]?\d{1,4}[.,]\d{1,9}"
_CANDIDATE = re.compile(
    rf"(?P<made>\*?) +(?:\d{{1,4}}\.|\?\?) +(?P<method>\S.{{0,60}}?) +"
    rf"(?P<play>{_HOP}(?: {_HOP}){{0,3}}) +\S.{{0,30}}?: *(?P<value>{_NUMBER}%?)"
    r"(?: \([-+.,%\d ]+\))?\s*"
)
_CHANCES = re.compile(
    r"\s+((?:-?\d{1,3}[.,]\d{1,9}\s+){3})-\s+((?:-?\d{1,3}[.,]\d{1,9}(?:\s+|\Z)){3}).*"
)
_ERRORS = re.compile(rf"\s+\[.* ({_NUMBER}%?)\]\s*")
_CUBE_LINE = re.compile(
    rf"[123]\. (?P<label>\S.{{0,40}}?)\s*(?P<value>{_NUMBER}%?)(?:\s+\([-+.,%\d ]+\))?\s*"
)
_DEPTH = re.compile(r"(\d)-\S")
_ROLLED = re.compile(r"\D{1,40}[1-6]{2} \(([-+]\d{1,4}[.,]\d{1,9})(%?)\) ?:\s*")
_ALERT = re.compile(rf"\S.*\( *{_NUMBER}%?\)!?\s*")
_MARK_LINE = re.compile(r" \[(\S.*)\]\s*")
_WINS = re.compile(r"[^\d:]{1,40}?(\d{1,5})[^\d:]{0,20}")
_NUMBER_IN_NAME = re.compile(r"(?:_[0-9]{3,4})?\.[^./\\]{1,10}\Z")
_DATE = re.compile(r"(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})\.?")


class Heading(NamedTuple):
    """What begins the report of a game, or of the first of several.

    `games` is the number of games before it. Reports with the same `match` are of one match, or
    of matches between the same players with the same date, event and so on.
    """

    match: tuple[str, ...]
    games: int
    score: tuple[int, int]


def read_heading(beginning: bytes) -> Heading | None:
    """Return the heading of a report from its first kilobytes; None for any other file."""
    lines = _lines(beginning.decode("utf-8", "replace"))
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    score = _read_score(lines[first])
    if score is None:
        return None
    information = []
    for line in lines[first + 1 :]:
        if _HEADER.match(line) or _POSITION_ID.fullmatch(line):
            break
        information.append(line.strip())
    names = (score.players[0], score.players[1], str(score.length))
    return Heading((*names, *filter(None, information)), score.games, score.points)


def reports_by_match(headings: Mapping[str, Heading]) -> list[list[str]]:
    """Return the names of files with reports of one match, in the order of games, for each match.

    They have the same folder and heading, and names such as `x.txt` and `x_002.txt`, or other
    names and scores that fit one match. `headings` are by the names of the files.
    """
    similar: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, heading in headings.items():
        similar.setdefault((os.path.dirname(name), heading.match), []).append(name)
    matches: list[list[str]] = []
    for names in similar.values():
        by_stem: dict[str, list[str]] = {}
        for name in names:
            by_stem.setdefault(_NUMBER_IN_NAME.sub("", name), []).append(name)
        for group in [names] if _is_one_match(names, headings) else by_stem.values():
            group.sort(key=lambda name: headings[name].games)
            matches += [group] if _is_one_match(group, headings) else [[name] for name in group]
    return matches


def _is_one_match(names: Sequence[str], headings: Mapping[str, Heading]) -> bool:
    """Whether reports can be of different games of one match, by their numbers and scores."""
    games = sorted((headings[name].games, headings[name].score) for name in names)
    return all(
        number < later and all(map(int.__le__, score, higher))
        for (number, score), (later, higher) in pairwise(games)
    )


def read(data: bytes, encoding: str | None = None) -> tuple[Match, ...]:
    """Read the matches (at least one) of a file with one or more reports.

    Games of one match come together if their scores fit. Raises MalformedError if the file has no
    report, or if a turn contradicts its board.
    """
    lines = _lines(decode_text(data, encoding))
    starts = [at for at, line in enumerate(lines) if line and _begins_report(lines, at)]
    if not starts:
        raise MalformedError("no line such as 'The score (after 0 games) is: Ann 0, Ben 0'")
    figures = Figures()
    reports = [
        _read_report(lines, start, end, figures)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]
    if len({(report.players, report.length) for report in reports}) == 1:
        reports.sort(key=lambda report: report.game.number)
    groups: list[list[_Report]] = []
    for report in reports:
        if groups and _continues(groups[-1][-1], report):
            groups[-1].append(report)
        else:
            groups.append([report])
    return tuple([_match(group, figures) for group in groups])


class _Score(NamedTuple):
    """The first line of a report; `length` is 0 if it shows none."""

    players: tuple[str, str]
    points: tuple[int, int]
    games: int
    length: int


class _Block(NamedTuple):
    """A board with the lines below it; `at` is the index of the line with its Position ID."""

    at: int
    number: int
    state: GameState
    players: tuple[str, str]
    lines: range


class _Report(NamedTuple):
    """A game, and what its report says about the match."""

    game: Game
    players: tuple[str, str]
    length: int
    jacoby: bool
    start: Position
    headers: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    problems: tuple[str, ...]


def _lines(text: str) -> list[str]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [line.rstrip() for line in text.split("\n")]


def _read_score(line: str) -> _Score | None:
    match = _SCORE.fullmatch(line.strip()) if 0 < len(line) <= _MAX_LINE_CHARS else None
    if match is None:
        return None
    return _Score(
        (match["first"], match["second"]),
        (int(match["first_points"]), int(match["second_points"])),
        int(match["games"]),
        int(match["length"] or 0),
    )


def _begins_report(lines: Sequence[str], at: int) -> bool:
    """Whether a report begins at a line."""
    is_after_another = at == 0 or not lines[at - 1]
    return is_after_another and _read_score(lines[at]) is not None


def _continues(previous: _Report, report: _Report) -> bool:
    """Whether a report is of a later game of the same match."""
    game, last = report.game, previous.game
    if (report.players, report.length) != (previous.players, previous.length):
        return False
    if report.length and game.number == last.number + 1 and last.winner is not None:
        return game.score == last.score_after
    return game.number > last.number and all(
        now >= before for now, before in zip(game.score, last.score, strict=True)
    )


def _match(reports: Sequence[_Report], figures: Figures) -> Match:
    first = reports[0]
    return Match(
        players=first.players,
        length=first.length,
        games=tuple([_from_start(report, first.start) for report in reports]),
        start=first.start,
        jacoby=first.jacoby,
        headers=first.headers,
        comments=first.comments,
        problems=(*[text for report in reports for text in report.problems], *figures.problems),
    )


def _from_start(report: _Report, start: Position) -> Game:
    """Return the game, which sets up its board if it is not that of the match."""
    game = report.game
    if report.start == start or not game.actions:
        return game
    board = SetPosition(game.actions[0].player, report.start)
    if game.actions[0].player is Player.SECOND:
        board = SetPosition(Player.SECOND, report.start.switch_sides())
    return replace(game, actions=(board, *game.actions))


# A game


class _Table(NamedTuple):
    """The board, numbered from the first player, and the cube after the actions so far.

    The board is None if unknown. `doublers` have doubled in turn without an answer yet.
    """

    board: Position | None
    cube: int
    owner: Player | None
    doublers: tuple[Player, ...] = ()


def _read_report(lines: Sequence[str], start: int, end: int, figures: Figures) -> _Report:
    score = _read_score(lines[start])
    assert score is not None  # a report begins here
    blocks = list(_blocks(lines, start, end))
    if blocks:
        last = blocks[-1]
        blocks[-1] = last._replace(lines=_without_statistics(lines, last.lines, last.players))
    problems: list[str] = []
    state = blocks[0].state if blocks else GameState(score=score.points, length=score.length)
    players = blocks[0].players if blocks else score.players
    board = _seen_by_first(state)
    begin = board if board in VARIATIONS.values() else STANDARD
    auto_cube = state.cube if state.owner is None else 1
    table = _Table(begin, auto_cube, None)
    actions: list[Action] = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=False):
        if block.players != players:
            raise _malformed(block.at, f"the players are now {_names(block.players)}")
        if _stakes(block.state) != _stakes(state):
            raise _malformed(block.at, "the score or the match length is not that of the game")
        if following is None and _is_cut(lines, block):
            problems.append(f"line {block.at + 1}: the report ends within this turn")
            break
        turn = _read_turn(lines, block, following, players, figures)
        table = _set_up(block, table, actions, problems)
        actions.append(turn)
        table = _after(table, turn)
    tail = _without_statistics(lines, range(start + 1, end), players)
    if blocks:
        tail = blocks[-1].lines
    winner, points = _read_result(lines, tail, players)
    headers, comments = _read_information(
        lines[start + 1 : blocks[0].at if blocks else tail.stop], bool(blocks)
    )
    game = Game(
        number=score.games + 1,
        score=state.score,
        actions=tuple(actions),
        winner=winner,
        points=points,
        resigned=winner is not None and not _is_over(table, actions, winner),
        crawford=state.crawford,
        cube=auto_cube,
    )
    return _Report(
        game, players, state.length, state.jacoby, begin, headers, comments, tuple(problems)
    )


def _blocks(lines: Sequence[str], start: int, end: int) -> Iterator[_Block]:
    """Yield the boards of a report; boards in comments have no number above them."""
    filled = [at for at in range(start, end) if lines[at]]
    boards = [at for at in filled if _is_board(lines, at)]
    _check_boards(lines, range(start, boards[0] if boards else end))
    heads = [_header_of(lines, at) for at in boards]
    last = 0
    for at, head, following in zip(boards, heads, [*heads[1:], end], strict=False):
        number = _number_at(lines, head)
        if number <= last:
            raise _malformed(head, f"move number {number} after {last}")
        yield _read_block(lines, at, number, following)
        last = number


def _is_board(lines: Sequence[str], at: int) -> bool:
    """Whether a line has the Position ID of a numbered board."""
    if lines[at - 1] or not _POSITION_ID.fullmatch(lines[at][:_MAX_LINE_CHARS]):
        return False
    return _number_at(lines, _header_of(lines, at)) > 0


def _header_of(lines: Sequence[str], at: int) -> int:
    """Return the index of the line above a board, without blank lines."""
    return next((above for above in range(at - 1, max(at - 6, -1), -1) if lines[above].strip()), 0)


def _number_at(lines: Sequence[str], at: int) -> int:
    header = _HEADER.match(lines[at][:_MAX_LINE_CHARS])
    return int(header[1]) if header else 0


def _read_block(lines: Sequence[str], at: int, number: int, end: int) -> _Block:
    """Read the IDs and the names of a board; raises MalformedError."""
    position = _POSITION_ID.fullmatch(lines[at])
    match = _MATCH_ID.fullmatch(lines[at + 1][:_MAX_LINE_CHARS]) if at + 1 < end else None
    if position is None or match is None:
        raise _malformed(at, "expected a Match ID below the Position ID")
    try:
        state = parse_gnubg_id(f"{position[1]}:{match[1]}")
    except MalformedError as error:
        raise _malformed(at, str(error)) from None
    rulers = [
        (index, ruler)
        for index in range(at + 2, min(at + _MAX_BOARD_LINES, end))
        if (ruler := _RULER.fullmatch(lines[index][:_MAX_LINE_CHARS]))
    ]
    if [ruler[1] for _, ruler in rulers] != ["O", "X"]:
        raise _malformed(at, "expected a board with the names of both players below the IDs")
    names = [
        _CUBE_OWNED.sub("", ruler[2]) if state.owner is player else ruler[2]
        for player, (_, ruler) in zip(Player, rulers, strict=True)
    ]
    first, second = [name.strip() for name in names]
    return _Block(at, number, state, (first, second), range(rulers[1][0] + 1, end))


def _without_statistics(lines: Sequence[str], span: range, players: tuple[str, str]) -> range:
    """Return the lines of a span before the statistics, whose head has both names."""
    names = r"\s+".join(map(re.escape, players))
    head = re.compile(rf"\S.{{0,30}}\s{{3,}}{names}\s*")
    ends = (at for at in span if lines[at] and head.fullmatch(lines[at][:_MAX_LINE_CHARS]))
    end = next(ends, span.stop)
    return range(span.start, end)


def _is_cut(lines: Sequence[str], block: _Block) -> bool:
    """Whether a file ends before the line of a turn does."""
    return (
        next((at for at in block.lines if lines[at].startswith("*")), len(lines)) >= len(lines) - 1
    )


def _set_up(block: _Block, table: _Table, actions: list[Action], problems: list[str]) -> _Table:
    """Append what turns the table into the state of a board; a note if a turn is missing."""
    state = block.state
    if state.doubled or table.doublers:
        if bool(state.doubled) != bool(table.doublers):
            raise _malformed(block.at, "a cube is offered or answered that was not offered")
        return table  # gnubg draws the board of the first doubler for a beaver
    board, line = _seen_by_first(state), block.at + 1
    if board != table.board:
        if any(isinstance(action, Move) for action in actions):
            problems.append(f"line {line}: not the board after the turn before; read as set up")
        actions.append(SetPosition(state.player, state.position, line=line))
    if (state.cube, state.owner) != (table.cube, table.owner):
        actions.append(SetCube(state.cube, state.owner, line=line))
    return _Table(board, state.cube, state.owner)


def _stakes(state: GameState) -> tuple[object, ...]:
    return state.length, state.score, state.crawford, state.jacoby


def _seen_by_first(state: GameState) -> Position:
    is_first = state.player is Player.FIRST
    return state.position if is_first else state.position.switch_sides()


def _after(table: _Table, turn: Action) -> _Table:
    match turn:
        case Move(player, _, hops):
            return table._replace(board=_board_after(table.board, player, hops))
        case Double(player):
            return table._replace(doublers=(*table.doublers, player))
        case Take():
            cube = table.cube << len(table.doublers)
            return _Table(table.board, cube, table.doublers[0].other)
    return table


def _board_after(board: Position | None, player: Player, hops: tuple[Hop, ...]) -> Position | None:
    if board is None:
        return None
    with suppress(IllegalError):
        if player is Player.FIRST:
            return force_hops(hops, board)
        return force_hops(hops, board.switch_sides()).switch_sides()
    return None


def _is_over(table: _Table, actions: Sequence[Action], winner: Player) -> bool:
    """Whether the actions end the game: a drop, or all checkers of the winner borne off."""
    if actions and isinstance(actions[-1], Drop):
        return True
    if table.board is None:
        return False
    points = table.board.points
    return not any(count > 0 if winner is Player.FIRST else count < 0 for count in points)


def _malformed(at: int, problem: str) -> MalformedError:
    return MalformedError(f"line {at + 1}: {problem}")


def _names(players: tuple[str, str]) -> str:
    return " and ".join(map(quoted, players))


# A turn


def _read_turn(
    lines: Sequence[str],
    block: _Block,
    following: _Block | None,
    players: tuple[str, str],
    figures: Figures,
) -> Action:
    """Read the turn of a board with its analysis and comment; raises MalformedError."""
    at = next((at for at in block.lines if lines[at].startswith("*")), None)
    action = None if at is None else _ACTION.fullmatch(lines[at][:_MAX_LINE_CHARS].rstrip())
    if at is None or action is None:
        raise _malformed(block.at, "no line such as '* Ann moves 8/5 6/5' below the board")
    state = block.state
    words = _without_name(action[1], players, state.player)
    if words is None:
        name = quoted(players[state.player])
        raise _malformed(at, f"found {quoted(lines[at])}, but {name} is on roll")
    below = range(at + 1, block.lines.stop)
    note = next((index for index in below if _is_note(lines[index])), below.stop)
    _check_boards(lines, range(at, note))
    if any(_number_at(lines, index) == block.number + 1 for index in range(at, note)):
        raise _malformed(block.at, f"move number {block.number + 1} has no board with IDs")
    comment = _comment(lines[note + 1 : below.stop], following is None, players)
    rest = [line[:_MAX_LINE_CHARS] for line in lines[at + 1 : note]]
    reader = _AnalysisReader(rest, state, figures)
    line = block.at + 1
    if state.roll:
        hops, text = _read_play(words)
        return Move(state.player, state.roll, hops, text, comment, line, reader.move())
    if not state.doubled:
        return Double(state.player, comment, line, reader.cube(CubeAct.DOUBLE))
    kind = _answer(words, following, at)
    act = {Take: CubeAct.TAKE, Drop: CubeAct.DROP}.get(kind)
    return kind(state.player, comment, line, act and reader.cube(act))


def _check_boards(lines: Sequence[str], span: range) -> None:
    """Raise MalformedError if a span has a board, whose IDs or number must be damaged."""
    board = next((at for at in span if _RULER.fullmatch(lines[at][:_MAX_LINE_CHARS])), None)
    if board is not None:
        raise _malformed(board, "a board without 'Move number 1: ' and IDs above it")


def _without_name(text: str, players: tuple[str, str], player: Player) -> str | None:
    """Return the words after the name of the player on roll; None if the opponent acts."""
    own, other = players[player], players[player.other]
    is_own = text.startswith(f"{own} ")
    if text.startswith(f"{other} ") and not (is_own and len(own) >= len(other)):
        return None
    return text[len(own) :].strip() if is_own else None


def _read_play(words: str) -> tuple[tuple[Hop, ...], str]:
    """Read `moves 24/21 13/11`; the verb may also come last. No hops for a roll without a play."""
    plays = [*_PLAY.finditer(words)]
    if len(plays) == 1:
        text = plays[0][0]
        with suppress(MalformedError):
            return parse_hops(text), text
    if plays or "/" in words:
        return (), words
    return (), ""


def _answer(words: str, following: _Block | None, at: int) -> type[Double | Take | Drop]:
    """Return the answer to a double, by its word or by the next board."""
    word = words.casefold()
    kinds: dict[frozenset[str], type[Double | Take | Drop]] = {
        _TAKES: Take,
        _DROPS: Drop,
        _BEAVERS: Double,
    }
    kind = next((kind for known, kind in kinds.items() if word in known), None)
    if following is not None:
        shown = Double if following.state.doubled else Take
        if kind not in {None, shown}:
            raise _malformed(at, f"found {quoted(words)}, but the game goes on otherwise")
        return shown
    if kind is None:
        raise _malformed(at, f"found {quoted(words)}, expected accepts or rejects")
    return kind


def _is_note(line: str) -> bool:
    return line.strip().rstrip(":").rstrip().casefold() in _COMMENT and line.rstrip().endswith(":")


def _comment(lines: Sequence[str], is_last: bool, players: tuple[str, str]) -> str:
    lines = list(lines)
    if is_last:
        results = [at for at, line in enumerate(lines) if _result_of(line, players)]
        del lines[results[-1] if results else len(lines) :]
    return "\n".join(lines).strip()


class _AnalysisReader:
    """Reads the analysis of a turn from the lines below it."""

    def __init__(self, lines: Sequence[str], state: GameState, figures: Figures) -> None:
        self._lines, self._state, self._figures = lines, state, figures
        values = [
            entry["value"]
            for line in lines
            if (entry := _CANDIDATE.fullmatch(line) or _CUBE_LINE.fullmatch(line))
        ]
        # Equities have a sign, match winning chances only a minus if they are below 0.
        self._shows_chances = any(value[0] not in "-+" for value in values)

    def move(self) -> MoveAnalysis | None:
        """Return the analysis of a roll; None if there is none."""
        words = [_word_in(line) for line in self._lines if _ALERT.fullmatch(line)]
        lucks = [_LUCK[word] for word in words if word in _LUCK]
        analysis = MoveAnalysis(
            self._plays([_MARKS[word] for word in words if word in _MARKS]),
            self.cube(CubeAct.NO_DOUBLE),
            self._luck(),
            lucks[0] if lucks else None,
        )
        return None if analysis == MoveAnalysis() else analysis

    def cube(self, act: CubeAct) -> CubeAnalysis | None:
        """Return the analysis of a cube action; None if there is none."""
        values: dict[str, float] = {}
        method = ""
        mark = None
        for line in self._lines:
            if bracket := _MARK_LINE.fullmatch(line):
                mark = _MARKS.get(bracket[1].casefold(), mark)
            elif entry := _CUBE_LINE.fullmatch(line):
                label = entry["label"].casefold()
                kind = "no" if label in _NO_DOUBLE else "take" if label in _DOUBLE_TAKE else ""
                with suppress(ValueError):
                    values.setdefault(kind, self._equity(entry["value"]))
            elif not method and not values and (depth := _DEPTH.match(line)):
                method = f"{depth[1]}-ply"
            elif _ROLLED.fullmatch(line):
                break
        if "no" not in values or "take" not in values:
            return CubeAnalysis(act, None, None, "", mark) if mark else None
        sign = -1.0 if self._state.doubled else 1.0  # gnubg shows them from the side of the taker
        no_double, double_take = sign * values["no"], sign * values["take"]
        return CubeAnalysis(act, no_double, double_take, method or "rollout", mark)

    def _plays(self, marks: Sequence[ErrorMark]) -> PlayAnalysis | None:
        candidates: list[Candidate] = []
        rank = None
        for line in self._lines:
            if entry := _CANDIDATE.fullmatch(line):
                depth = _DEPTH.search(entry["method"])
                method = f"{depth[1]}-ply" if depth else "rollout"
                try:
                    equity = self._equity(entry["value"])
                    hops = parse_hops(entry["play"])
                except (ValueError, MalformedError):
                    return None
                if entry["made"]:
                    rank = len(candidates)
                candidates.append(Candidate(hops, equity, method))
            elif candidates and (numbers := _CHANCES.fullmatch(line)):
                candidates[-1] = candidates[-1]._replace(odds=self._odds(*numbers.groups()))
            elif candidates and (error := _ERRORS.fullmatch(line)):
                with suppress(ValueError):
                    candidates[-1] = candidates[-1]._replace(
                        standard_error=self._points_of(error[1])
                    )
        mark = marks[0] if marks else None
        if not candidates and mark is None:
            return None
        return PlayAnalysis(tuple(candidates), rank, mark)

    def _luck(self) -> float | None:
        for line in self._lines:
            if rolled := _ROLLED.fullmatch(line):
                with suppress(ValueError):
                    return self._figures.points(self._points_of(rolled[1] + rolled[2]))
        return None

    def _odds(self, won: str, lost: str) -> Odds:
        numbers = [float(word.replace(",", ".")) for word in (*won.split(), *lost.split())]
        if numbers[0] + numbers[3] > 2:  # percent
            numbers = [number / 100 for number in numbers]
        del numbers[3]  # the games lost
        return tuple(numbers) if self._figures.are_chances(numbers) else b""

    def _equity(self, text: str) -> float:
        """Return an equity in points."""
        number = _number(text)
        if self._state.length and self._shows_chances:
            middle, point = self._scale()
            number = (number - middle) / point
        return self._figures.points(number)

    def _points_of(self, text: str) -> float:
        """Return a difference of equities in points; those in percent are winning chances."""
        number = _number(text)
        if self._state.length and text.endswith("%"):
            number /= self._scale()[1]
        return number

    def _scale(self) -> tuple[float, float]:
        """The match winning chances that 0 points and 1 more point are worth, or ValueError."""
        state = self._state
        # gnubg shows the chances of a taker as if it were the doubler.
        player = state.player.other if state.doubled else state.player
        chances = winning_chances(
            state.length, state.score, player, state.cube, crawford=state.crawford
        )
        if chances is None or chances[0] == chances[1]:
            raise ValueError(state)
        return (chances[0] + chances[1]) / 2, (chances[0] - chances[1]) / 2


def _number(text: str) -> float:
    """Read a number with a point or a comma; percent are hundredths."""
    number = float(text.rstrip("%").replace(",", "."))
    return number / 100 if text.endswith("%") else number


def _word_in(line: str) -> str:
    """Return the word for an error or for luck in the warning about a roll, or an empty text."""
    folded = line.casefold()
    return next((word for word in _LONGEST_FIRST if word in folded), "")


# What surrounds the turns


def _read_result(
    lines: Sequence[str], span: range, players: tuple[str, str]
) -> tuple[Player | None, int]:
    results = (_result_of(lines[at], players) for at in reversed(span) if lines[at])
    return next(filter(None, results), (None, 0))


def _result_of(line: str, players: tuple[str, str]) -> tuple[Player, int] | None:
    """Return the winner and the points in `Ann wins 2 points`; None for other lines."""
    if players[0] == players[1] or not line.startswith(players):
        return None
    first, second = map(len, players)  # a name may begin with the other
    for player in Player if first > second else reversed(Player):
        rest = line.removeprefix(f"{players[player]} ")
        if rest != line and (points := _WINS.fullmatch(rest[:_MAX_LINE_CHARS])):
            return player, int(points[1])
    return None


def _read_information(
    lines: Sequence[str], has_header: bool
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Read the date, event and so on; the header of the first board ends them."""
    filled = [line.strip() for line in lines if line.strip()]
    headers: list[tuple[str, str]] = []
    for number, line in enumerate(filled[: len(filled) - has_header]):
        label, colon, text = line.partition(":")
        tag = _INFORMATION.get(label.strip().casefold())
        if not colon or tag is None:
            continue
        if not tag:
            rest = filled[number + 1 : len(filled) - has_header]
            return tuple(headers), ("\n".join([text.strip(), *rest]),)
        text = text.lstrip(": ")
        headers.append((tag, _date(text) if tag == "EventDate" else text))
    return tuple(headers), ()


def _date(text: str) -> str:
    """Return a date as year, month, day; the text if its order is not sure."""
    date = _DATE.fullmatch(text.strip())
    if not date:
        return text
    numbers = int(date[1]), int(date[3]), int(date[4])
    if len(date[1]) == 4:
        year, month, day = numbers
    else:
        day, month, year = numbers
        if date[2] == "/" and day <= 12 and day != month:
            if month <= 12:
                return text  # 05/09/2023 is May or September
            day, month = month, day
        year += 2000 if len(date[4]) == 2 else 0
    if not (1 <= month <= 12 and 1 <= day <= 31 and year > 1900):
        return text
    return f"{year}-{month:02}-{day:02}"

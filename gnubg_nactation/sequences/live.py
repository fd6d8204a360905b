"""Type a match key by key: two keys for the dice, one for the letter.

Letters are typed as sequences show them. A key that is not possible changes nothing but the note of
the draft, which explains what is.
"""

from __future__ import annotations

from gnubg_nactation.backgammon.match import Action, Double, Drop, Move, Resign, Take, Turn
from gnubg_nactation.backgammon.notation import Hop, format_play
from gnubg_nactation.backgammon.plays import Play
from gnubg_nactation.backgammon.results import Result, points_for, result_of
from gnubg_nactation.backgammon.state import Player
from gnubg_nactation.errors import IllegalError, MalformedError
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.sequences.draft import (
    NEXT_MEMBER,
    RESIGN,
    SIZES,
    SWAP,
    Ask,
    Draft,
    dice_of,
    plays_of,
    turns_of,
    with_turns,
)
from gnubg_nactation.showing import counted, quoted
from gnubg_nactation.values import NamedTuple, replace

RAISES = "doubles", "beavers", "raccoons"  # by `raised` of a turn
BACK = "\b"  # takes back the last key
FIRST_PLAY = "\n"  # takes the first play of the list
_DICE, _MARKS, _DOUBLE, _RESIGN = "123456", "_.", "dc", f"r{RESIGN}"
_VARIES = NEXT_MEMBER + _MARKS
_KEY_NAMES = {FIRST_PLAY: "Enter", NEXT_MEMBER: "Space", BACK: "Backspace"}


class Choice(NamedTuple):
    """A key that is possible besides dice and letters, and what it does."""

    key: str
    words: str

    def __str__(self) -> str:
        return f"{_KEY_NAMES.get(self.key, self.key)} {self.words}"


def question(draft: Draft) -> str:
    """What to type next."""
    first, second = draft.match.players
    name = draft.match.players[draft.state.player]
    dice = draft.pending.lstrip(SWAP)
    match draft.ask:
        case Ask.OVER:
            winner = draft.match.players[draft.score[0] < draft.score[1]]
            return f"{winner} has won the match"
        case Ask.SIZE:
            return f"{draft.match.players[draft.loser]} resigns"
        case Ask.PLAY:
            return f"{name} to play {draft.state.roll}: type its letter"
        case Ask.ANSWER:
            return f"{name} to answer the double"
        case Ask.OPENING:
            players = (second, first) if draft.pending.startswith(SWAP) else (first, second)
            return f"Opening roll: type the die of {players[len(dice)]}"
    return f"{name} to roll: type {'the second die' if dice else 'two dice'}"


def choices(draft: Draft) -> tuple[Choice, ...]:
    """The keys that are possible now besides dice and letters."""
    players = draft.match.players
    state, begun = draft.state, draft.pending.lstrip(SWAP)
    swap = Choice(SWAP, f"{players[state.player.other]} starts")
    match draft.ask:
        case Ask.OPENING if not begun:
            return (Choice(SWAP, f"die of {players[not draft.pending]} first"),)
        case Ask.ROLL if not begun:
            double = Choice("d", "double" if state.owner is None else "redouble")
            resign = Choice("r", "resign")
            return (resign,) if _why_no_double(draft) else (double, resign)
        case Ask.PLAY if len(begun) == 2:
            play = (Choice(FIRST_PLAY, "first play"), Choice(RESIGN, "resign"))
            return play if draft.turns else (*play, swap)
        case Ask.ANSWER:
            answers = (Choice("t", "take"), Choice("p", "drop"))
            raised = draft.turns[-1].raised
            if state.length or raised > 2 or not draft.has_rule("beaver"):
                return answers
            return (*answers, Choice("b", "beaver") if raised == 1 else Choice("r", "raccoon"))
        case Ask.SIZE:
            other = Choice("r", f"{players[draft.loser.other]} resigns")
            return (*(Choice(str(at), words) for at, words in enumerate(SIZES, 1)), other)
    return ()


def news(draft: Draft) -> str:
    """The last turn in words; after the last of a game, its result."""
    match, games = draft.match, draft.match.games
    if draft.turns:
        return turn_text(draft.turns[-1], match.players)
    if not games:
        return ""
    last = games[-1]
    score = "-".join(map(str, draft.score))
    winner = match.players[last.winner or Player.FIRST]
    return f"{winner} wins {counted(last.points, 'point')}: {score}"


def turn_text(turn: Turn, players: tuple[str, str]) -> str:
    """A turn in words: `Ann: 31P 8/5 6/5`, `Ben doubles`."""
    name, action = players[turn.action.player], turn.action
    match action:
        case Move(roll=roll):
            if turn.play is None:
                return f"{name}: {roll}, no play"
            plays = Plays.of(turn.plays)
            letter = plays.name(turn.play).naming.nactation if len(plays) > 1 else ""
            return f"{name}: {roll}{letter} {format_play(turn.play)}"
        case Double():
            return f"{name} {RAISES[turn.raised - 1]}"
        case Take():
            return f"{name} takes"
    return f"{name} passes"


def press(draft: Draft, key: str) -> Draft:
    """The draft after a key, which is one character."""
    draft = draft._replace(note="")
    if key == BACK:
        return _take_back(draft)
    if draft.typed and not draft.pending and key in _VARIES:
        return _varied(draft, draft.typed, key)
    match draft.ask:
        case Ask.OVER:
            return _refuse(draft, key)
        case Ask.SIZE:
            return _size(draft, key)
        case Ask.PLAY:
            return _letter(draft, key)
        case Ask.ANSWER:
            return _answer(draft, key)
    return _die(draft, key)


def _refuse(draft: Draft, key: str, reason: str = "") -> Draft:
    """The draft with a note about a key that is not possible."""
    keys = ", ".join(map(str, choices(draft)))
    expected = "; ".join(filter(None, (reason, question(draft), keys)))
    return draft._replace(note=f"{_KEY_NAMES.get(key, quoted(key))} does nothing here: {expected}")


# Dice


def _die(draft: Draft, key: str) -> Draft:
    opens, first = draft.ask is Ask.OPENING, draft.pending.lstrip(SWAP)
    if key in _DICE and opens and key == first:
        return _refuse(draft, key, "a doublet does not open a game")
    if key in _DICE:
        draft = draft._replace(pending=draft.pending + key, typed=None)
        return _rolled(draft) if first else draft
    if first:
        return _refuse(draft, key)
    if opens:
        return _swap(draft) if key == SWAP else _refuse(draft, key)
    return _instead_of_dice(draft, key)


def _instead_of_dice(draft: Draft, key: str) -> Draft:
    low = key.lower()
    if key == SWAP:  # between the tokens of a sequence
        return draft
    if low in _DOUBLE:
        return _double(draft, key)
    if low in _RESIGN:
        return draft._replace(pending=RESIGN, typed=None)
    return _refuse(draft, key)


def _swap(draft: Draft) -> Draft:
    pending = draft.pending
    return draft._replace(pending=pending[1:] if pending.startswith(SWAP) else SWAP + pending)


def _rolled(draft: Draft) -> Draft:
    """The draft after the second die; a roll without a choice is played."""
    plays = plays_of(draft.state)
    return draft if len(plays) > 1 else _played(draft, plays[0] if plays else None)


# Plays


def _letter(draft: Draft, key: str) -> Draft:
    plays, letter = plays_of(draft.state), draft.pending.lstrip(SWAP)[2:]
    if key == FIRST_PLAY and not letter:
        play = draft.choices[0]
        return _played(draft, play, plays.name(play).naming.nactation)
    if key == SWAP and not draft.turns:
        return _swap(draft)
    if key == RESIGN:
        return draft._replace(pending=draft.pending + RESIGN)
    try:
        name = parse_nactation(letter + key)
    except MalformedError:
        return _refuse(draft, key, f"legal: {' '.join(map(str, plays.areal_families()))}")
    try:
        return _played(draft, plays.play(name), name)
    except IllegalError as error:
        marked = [key + mark for mark in _MARKS if _is_play(draft, key + mark)]
        if letter or not marked:
            return draft._replace(note=str(error))
        note = f"{draft.state.roll}{key} is not legal here; go on typing {' or '.join(marked)}"
        return draft._replace(pending=draft.pending + key, note=note)


def _is_play(draft: Draft, name: str) -> bool:
    try:
        plays_of(draft.state).play(name)
    except (IllegalError, MalformedError):
        return False
    return True


def _varied(draft: Draft, name: Nactation, key: str) -> Draft:
    """The last play exchanged for the next one with its letter, or for that of another mark."""
    glyphs = name.family.glyphs
    try:
        other = (
            Nactation(name.family, name.member + len(glyphs))
            if key == NEXT_MEMBER
            else parse_nactation(glyphs[(name.member - 1) % len(glyphs)] + key)
        )
    except MalformedError:
        return _refuse(draft, key)
    before = _take_back(draft)
    try:
        return _played(before, plays_of(before.state).play(other), other)
    except IllegalError as error:
        return draft._replace(note=str(error))


def _played(draft: Draft, play: Play | None, name: Nactation | None = None) -> Draft:
    return _settled(_moved(draft, play))._replace(typed=name)


def _moved(draft: Draft, play: Play | None) -> Draft:
    """The draft after a play, or after a roll without one."""
    state = draft.state
    assert state.roll is not None
    portions = play.portions if play else ()
    hops = tuple([Hop(portion.source, portion.target, portion.hits) for portion in portions])
    action = Move(state.player, state.roll, hops)
    turn = Turn(len(draft.turns) + 1, action, state, play, plays_of(state))
    return draft._replace(turns=(*draft.turns, turn), pending="")


# The cube and the end of a game


def _double(draft: Draft, key: str) -> Draft:
    reason = _why_no_double(draft)
    if reason:
        return _refuse(draft, key, reason)
    return _acted(draft, Double(draft.state.player), raised=1)


def _why_no_double(draft: Draft) -> str:
    state = draft.state
    if state.crawford:
        return "no double in the Crawford game"
    other = state.player.other
    if state.owner is other:
        return f"{draft.match.players[other]} owns the cube"
    return ""


def _answer(draft: Draft, key: str) -> Draft:
    player, low = draft.state.player, key.lower()
    if all(choice.key != low for choice in choices(draft)):
        return _refuse(draft, key)
    if low == "t":
        return _acted(draft, Take(player))
    if low == "p":
        return _acted(draft, Drop(player))
    return _acted(draft, Double(player), raised=draft.turns[-1].raised + 1)


def _acted(draft: Draft, action: Action, *, raised: int = 0) -> Draft:
    turn = Turn(len(draft.turns) + 1, action, draft.state, raised=raised)
    return _settled(draft._replace(turns=(*draft.turns, turn), typed=None))


def _size(draft: Draft, key: str) -> Draft:
    if key.lower() in _RESIGN:
        is_opponent = draft.pending.endswith(2 * RESIGN)
        pending = draft.pending[:-1] if is_opponent else draft.pending + RESIGN
        return draft._replace(pending=pending)
    if key not in "123":
        return _refuse(draft, key)
    loser, state = draft.loser, draft.state
    draft = _moved(draft, None) if state.roll else draft
    result = Result(loser.other, points_for(state, int(key)))
    return _finished(draft, result, (Resign(loser),))


def _settled(draft: Draft) -> Draft:
    result = result_of(draft.turns)
    return _finished(draft, result) if result else draft


def _finished(draft: Draft, result: Result, resigned: tuple[Resign, ...] = ()) -> Draft:
    """The draft with its game over, and the next one begun."""
    game = draft.game
    over = replace(
        game,
        actions=(*game.actions, *resigned),
        winner=result.winner,
        points=result.points,
        resigned=bool(resigned),
    )
    games = (*draft.match.games, over)
    return draft._replace(match=replace(draft.match, games=games), turns=(), pending="", typed=None)


# Taking back


def _take_back(draft: Draft) -> Draft:
    """The draft without its last key; the last turn loses its letter, or its second die."""
    draft = draft._replace(typed=None)
    if draft.pending:
        return draft._replace(pending=draft.pending[:-1])
    games = draft.match.games
    if draft.turns:
        return _without_last(draft)
    if not games:
        return draft._replace(note="nothing is left to take back")
    turns = turns_of(draft.match, games[-1])
    draft = with_turns(draft._replace(match=replace(draft.match, games=games[:-1])), turns)
    return draft if games[-1].resigned else _without_last(draft)


def _without_last(draft: Draft) -> Draft:
    *turns, last = draft.turns
    if not isinstance(last.action, Move):
        return draft._replace(turns=tuple(turns))
    dice = dice_of(last)
    return draft._replace(turns=tuple(turns), pending=dice if len(last.plays) > 1 else dice[:1])

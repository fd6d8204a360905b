"""Type a match key by key: two keys for the dice, one for the letter.

Letters are typed as sequences show them. A key that is not possible changes nothing but the note of
the draft, which explains what is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache

from gnubg_nactation.backgammon.match import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Move,
    Replay,
    Resign,
    SetCube,
    SetPosition,
    Take,
    Turn,
    is_crawford_game,
    places_in,
    state_after,
)
from gnubg_nactation.backgammon.notation import Hop, format_play, parse_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.results import Result, points_for, result_of
from gnubg_nactation.backgammon.state import GameState, Player
from gnubg_nactation.errors import IllegalError, MalformedError, NactationError
from gnubg_nactation.language.nactation import Nactation, parse_nactation
from gnubg_nactation.language.plausibility import plausibility
from gnubg_nactation.language.plays import Plays
from gnubg_nactation.showing import counted, quoted
from gnubg_nactation.values import NamedTuple, replace

SWAP = "-"  # the key that swaps the dice of the opening roll between the players
NEXT_MEMBER = " "  # the key for the next play that is written with the same letter
RESIGN = "!"  # the key for a resignation; twice for the opponent's
SIZES = ("single game", "gammon", "backgammon")


class Ask(Enum):
    """What the next key answers."""

    OPENING = "opening"  # two dice, the first player's before the second player's
    ROLL = "roll"  # two dice, or an action with the cube
    PLAY = "play"  # the letter of a play
    ANSWER = "answer"  # to a double
    SIZE = "size"  # of a loss by resignation
    OVER = "over"  # nothing: the match is over


class Draft(NamedTuple):
    """A match that is still being written.

    `match` has the games that are over, and `turns` are those of the next one. `pending` has the
    keys of the turn that has begun. `typed` is the name that the last key completed. `note`
    explains why the last key did nothing. The headers of the match may exclude the Crawford rule or
    beavers.
    """

    match: Match
    turns: tuple[Turn, ...] = ()
    pending: str = ""
    typed: Nactation | None = None
    note: str = ""

    def has_rule(self, name: str) -> bool:
        """Whether no header of the match excludes a rule."""
        headers = self.match.headers
        return not any(key.lower() == name and value.lower() == "off" for key, value in headers)

    @property
    def score(self) -> tuple[int, int]:
        """The score after the games that are over."""
        return self.match.score

    @property
    def game(self) -> Game:
        """The game that is being written."""
        games, score = self.match.games, self.score
        earlier = [game.score for game in games]
        has_crawford = self.has_rule("crawford")
        crawford = has_crawford and is_crawford_game(self.match.length, score, earlier)
        number = games[-1].number + 1 if games else 1
        actions = tuple([turn.action for turn in self.turns])
        return Game(number, score, actions, crawford=crawford)

    @property
    def is_over(self) -> bool:
        """Whether a player has won the match."""
        return bool(self.match.length) and max(self.score) >= self.match.length

    @property
    def recorded(self) -> Match:
        """The match with all complete turns."""
        games = self.match.games
        return replace(self.match, games=(*games, self.game) if self.turns else games)

    @property
    def state(self) -> GameState:
        """The moment before the next turn, with the roll if it is known."""
        dice = self.pending.lstrip(SWAP)[:2]
        roll = Roll.parse(dice) if len(dice) == 2 and dice.isdigit() else None
        if self.turns:
            return replace(_state_after(self.turns[-1]), roll=roll)
        state = Replay(self.match, self.game).state
        player = starter(self.pending)
        position = state.position if player is Player.FIRST else state.position.switch_sides()
        return replace(state, position=position, player=player, roll=roll)

    @property
    def ask(self) -> Ask:
        """What the next key answers."""
        if self.is_over:
            return Ask.OVER
        if RESIGN in self.pending:
            return Ask.SIZE
        if len(self.pending.lstrip(SWAP)) > 1:
            return Ask.PLAY
        if not self.turns:
            return Ask.OPENING
        return Ask.ANSWER if isinstance(self.turns[-1].action, Double) else Ask.ROLL

    @property
    def loser(self) -> Player:
        """The player who resigns, if one does."""
        player = self.state.player
        return player.other if self.pending.endswith(2 * RESIGN) else player

    @property
    def choices(self) -> tuple[Play, ...]:
        """The plays of the roll, the most natural first; none if no play is asked for."""
        state = self.state
        return by_nature(plays_of(state)) if state.roll and self.ask is Ask.PLAY else ()


def draft_of(match: Match) -> Draft:
    """The draft of a match that breaks off anywhere; a roll at its end is still to be played.

    Raises IllegalError if it cannot be continued key by key: it sets up a board, a play is illegal,
    a game before the last has no result, or the score of the last does not follow from the others.
    """
    games = match.games
    unfinished = games[-1] if games and games[-1].winner is None else None
    over = games[:-1] if unfinished else games
    for game in games:
        if game.winner is None and game is not unfinished:
            raise IllegalError(f"game {game.number} has no result")
        turns_of(match, game)
    draft = Draft(replace(match, games=over))
    if unfinished is None:
        return draft
    game = draft.game
    found = unfinished.number, unfinished.score, unfinished.cube
    if found != (game.number, game.score, game.cube):
        reason = "begins with a number, score or cube that does not follow"
        raise IllegalError(f"game {unfinished.number} {reason}")
    return with_turns(draft, turns_of(match, unfinished))


def with_turns(draft: Draft, turns: tuple[Turn, ...]) -> Draft:
    """The draft with the turns of its last game; a roll without a play becomes pending."""
    last = turns[-1] if turns else None
    if last and last.play is None and last.plays:
        return draft._replace(turns=turns[:-1], pending=dice_of(last))
    return draft._replace(turns=turns, pending="")


def turns_of(match: Match, game: Game) -> tuple[Turn, ...]:
    """The turns of a game without resignations; IllegalError if they are not all legal."""
    return _turns_of(replace(match, games=()), game)


@lru_cache(maxsize=64)  # of the games that are over
def _turns_of(match: Match, game: Game) -> tuple[Turn, ...]:
    actions = [action for action in game.actions if not isinstance(action, Resign)]
    if any(isinstance(action, (SetPosition, SetCube)) for action in actions):
        raise IllegalError(f"game {game.number} sets up a board or the cube")
    replayed = Replay(match, game)
    turns = [
        replayed.turn(action, goes_on=number < len(actions))
        for number, action in enumerate(actions, 1)
    ]
    for turn, place in zip(turns, places_in(game.number, turns), strict=True):
        if turn.problem:
            raise IllegalError(f"{place}: {turn.problem}")
    return tuple(turns)


def _state_after(turn: Turn) -> GameState:
    assert turn.state is not None  # the board of a legal game is known
    return state_after(turn.state, turn.action, turn.play)


def starter(pending: str) -> Player:
    """The player who plays the opening roll: the one with the higher die."""
    first = Player.SECOND if pending.startswith(SWAP) else Player.FIRST
    dice = pending.lstrip(SWAP)[:2]
    return first.other if len(dice) == 2 and dice[0] < dice[1] else first


def dice_of(turn: Turn) -> str:
    """The dice of a turn as they are typed: in the opening, the first player's die is first."""
    assert isinstance(turn.action, Move)
    roll = turn.action.roll
    is_swapped = turn.number == 1 and turn.action.player is Player.SECOND
    return f"{roll.low}{roll.high}" if is_swapped else str(roll)


def plays_of(state: GameState) -> Plays:
    """The legal plays of the state's roll."""
    assert state.roll is not None
    return _legal(state.position, state.roll)


_legal = lru_cache(maxsize=16)(Plays)  # a roll's plays are asked for several times


@lru_cache(maxsize=16)
def by_nature(plays: Plays) -> tuple[Play, ...]:
    """The plays, the most natural first by the rule of thumb."""
    return tuple(sorted(plays, key=plausibility, reverse=True))


# Counting keys


def keys_of(match: Match) -> Iterator[str]:
    """The fewest keys that type each action of a match, and each resignation."""
    for game in match.games:
        turns = turns_of(match, game)
        yield from map(_keys_of_turn, turns)
        if keys := _keys_of_resignation(game, turns):
            yield keys


def _keys_of_resignation(game: Game, turns: tuple[Turn, ...]) -> str:
    """The keys that end a game after these turns by resigning; empty if they end it themselves."""
    if not turns or game.winner is None or result_of(turns):
        return ""
    is_rolled = turns[-1].play is None and bool(turns[-1].plays)
    state = turns[-1].state if is_rolled else _state_after(turns[-1])
    assert state is not None
    sizes = [size for size in (1, 2, 3) if points_for(state, size) == game.points]
    return RESIGN * (1 + (state.player is game.winner)) + str(sizes[0])


def _keys_of_turn(turn: Turn) -> str:
    match turn.action:
        case Double():
            return "dbr"[turn.raised - 1]
        case Take():
            return "t"
        case Drop():
            return "p"
    if turn.play is None or len(turn.plays) < 2:
        return dice_of(turn)
    plays = Plays.of(turn.plays)
    names = [naming.nactation for naming in plays.names(turn.play)]
    letters = [keys_of_name(name) for name in names if plays.play(name) == turn.play]
    return dice_of(turn) + min(letters, key=len)


def keys_of_name(name: Nactation) -> str:
    """The keys that type a name: its letter, its mark, and a blank for each further style."""
    glyphs = name.family.glyphs
    level, at = divmod(name.member - 1, len(glyphs))
    return glyphs[at] + name.family.suffix + NEXT_MEMBER * level


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


# Correcting an earlier turn


class Corrected(NamedTuple):
    """A match after keys that replace one of its turns.

    While the new turn `is_open`, `draft` ends there. `lost` counts the later turns that are not
    possible any more: `draft` has none of them.
    """

    draft: Draft
    is_open: bool
    lost: int = 0


class _Entry(NamedTuple):
    """A turn, or keys that complete none: a resignation, a roll to play. Games begin with 0."""

    game: int
    turn: Turn | None
    keys: str = ""


def correct(draft: Draft, at: int, keys: str) -> Corrected:
    """Replace a turn, numbered from 0 over all games, and go on with the turns after it.

    The dice of the turn are typed already. A play stays if its checkers can still move that way. A
    double may be put before a turn, or replaced with the play of the doubler. Keys after the new
    turn continue the match at its end. Raises IllegalError if there is no such turn.
    """
    entries = _entries(draft)
    numbers = [number for number, entry in enumerate(entries) if entry.turn]
    if not 0 <= at < len(numbers):
        raise IllegalError(f"there is no turn {at + 1}; the match has {len(numbers)}")
    at = numbers[at]
    before = now = _before(draft, entries[at])
    for number, key in enumerate(keys):
        is_complete = _is_after(now, before)
        if is_complete and key not in _VARIES + BACK:
            resumed, lost = _resumed(now, entries, at)
            if resumed is not now:
                for later in keys[number:]:
                    resumed = press(resumed, later)
                return Corrected(resumed, is_open=False, lost=lost)
        if key == BACK and not (is_complete or now.pending):
            now = now._replace(note="choose the turn before this one to correct it")
        else:
            now = press(now, key)
    if not _is_after(now, before):
        return Corrected(now, is_open=True)
    resumed, lost = _resumed(now, entries, at)
    return Corrected(resumed._replace(note=now.note), is_open=False, lost=lost)


def turns_by_game(draft: Draft) -> list[tuple[Turn, ...]]:
    """The complete turns of each game of a draft, also of the one that is being written."""
    return [turns_of(draft.match, game) for game in draft.recorded.games]


def _entries(draft: Draft) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, game in enumerate(draft.recorded.games):
        turns = turns_of(draft.match, game)
        entries += [_Entry(number, turn) for turn in turns]
        if keys := _keys_of_resignation(game, turns):
            entries.append(_Entry(number, None, keys))
    if draft.pending:
        entries.append(_Entry(len(draft.match.games), None, draft.pending))
    return entries


def _before(draft: Draft, entry: _Entry) -> Draft:
    """The draft before a turn, with its dice."""
    games = draft.recorded.games
    turns = turns_of(draft.match, games[entry.game])
    match = replace(draft.match, games=games[: entry.game])
    assert entry.turn is not None
    return _without_last(Draft(match, turns[: entry.turn.number]))


def _is_after(draft: Draft, before: Draft) -> bool:
    """Whether a draft has a turn or a game more than another."""
    return (len(draft.match.games), len(draft.turns)) > (len(before.match.games), len(before.turns))


def _resumed(draft: Draft, entries: Sequence[_Entry], at: int) -> tuple[Draft, int]:
    """The draft with the entries after `at`, as far as they go, and the number of turns left."""
    replaced = entries[at].turn
    starts = [at + 1]
    if replaced and isinstance(replaced.action, Move):
        starts.append(at)  # a double was put before it
    elif replaced and isinstance(replaced.action, Double):
        starts.append(at + 3)  # it was taken, and the roll after it replaces all
    for start in starts:
        now, number = draft, start
        while number < len(entries) and (following := _with_entry(now, entries[number])):
            now, number = following, number + 1
        if now is not draft:
            return now, sum(1 for entry in entries[number:] if entry.turn)
    return draft, sum(1 for entry in entries[at + 1 :] if entry.turn)


def _with_entry(draft: Draft, entry: _Entry) -> Draft | None:
    """The draft with a turn, if that is possible and the same."""
    if len(draft.match.games) != entry.game:
        return None
    turn = entry.turn
    if turn is None:
        return _pressed(draft, entry.keys)
    if draft.pending or (draft.turns and draft.state.player is not turn.action.player):
        return None
    if not isinstance(turn.action, Move):
        return _pressed(draft, _keys_of_turn(turn))
    dice = dice_of(turn)
    state = draft._replace(pending=dice).state
    plays, play = plays_of(state), None
    if turn.play:
        moves = format_play(turn.play).replace("*", "")  # it may hit now, or not any more
        try:
            play = parse_play(moves, state.position, turn.action.roll, plays)
        except NactationError:
            return None
    elif (len(plays) > 1) != (len(turn.plays) > 1):
        return None
    rolled = _pressed(draft, dice)
    return _played(rolled, play) if rolled and play and rolled.pending else rolled


def _pressed(draft: Draft, keys: str) -> Draft | None:
    """The draft after keys, unless one of them is not possible."""
    for key in keys:
        draft = press(draft, key)
        if draft.note:
            return None
    return draft

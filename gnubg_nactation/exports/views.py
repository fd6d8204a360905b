"""Turns as JSON, for commands and for the playground.

`cli/views.schema.json` describes these objects. Positions are from the side of the turn's player,
players are 0 (the first) and 1, and plays are in traditional notation. Keys without a value are
left out, or null if that is documented.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gnubg_nactation.backgammon.analysis import in_prose
from gnubg_nactation.backgammon.conversion import to_state
from gnubg_nactation.backgammon.ids import format_position_id, format_xgid
from gnubg_nactation.backgammon.match import Double, Move, Turn, place_name
from gnubg_nactation.backgammon.notation import format_play
from gnubg_nactation.backgammon.plays import Play, Roll
from gnubg_nactation.backgammon.position import Position
from gnubg_nactation.backgammon.state import GameState
from gnubg_nactation.decisions.decision import error_of_loss, token, turn_nacbrac
from gnubg_nactation.decisions.severity import cube_of, play_of, points
from gnubg_nactation.errors import IllegalError
from gnubg_nactation.language.nactation import Nactation
from gnubg_nactation.language.plays import Plays, fan_naming
from gnubg_nactation.nacbracs.bots import describe_bot
from gnubg_nactation.nacbracs.nacbrac import CubeNacbrac, actions_of
from gnubg_nactation.showing import rounded
from gnubg_nactation.values import TYPE_CHECKING, Any, replace
from gnubg_nactation.writing.colours import colour_text, on_black

if TYPE_CHECKING:
    from gnubg_nactation.annotation import AnnotatedGame, AnnotatedTurn
    from gnubg_nactation.decisions.decision import Choice, Decision
    from gnubg_nactation.files.pasted import TextPosition
    from gnubg_nactation.language.alphabet import Family
    from gnubg_nactation.nacbracs.nacbrac import Action, Nacbrac
    from gnubg_nactation.nacbracs.reading import NacbracRead, ResolvedEntry
    from gnubg_nactation.sequences.decode import Decoded, DecodedTurn
    from gnubg_nactation.sequences.incremental import NextToken, Progress

View = dict[str, Any]

_MINUS = "\u2212"


def signed(equity: float) -> str:
    """An equity or a loss as players write it, with a real minus."""
    return points(equity).replace("-", _MINUS)


def turn_view(turn: DecodedTurn) -> View:
    """A turn of a sequence."""
    value: View = {
        "token": turn.token.text,
        "player": int(turn.action.player),
        "roll": str(turn.state.roll) if turn.state.roll else None,
        "nactation": str(turn.nactation) if turn.nactation else None,
        "play": format_play(turn.play) if turn.play else None,
        "position_id": format_position_id(turn.state.position),
        "after": format_position_id(turn.after.position),
        "reading": turn.how.value,
        "sure": turn.sure.value,
    }
    if turn.gap is not None:
        value["gap"] = round(turn.gap, 4)
    value |= _doubts(turn)
    if turn.token.remark:
        value["remark"] = turn.token.remark
    return value


def _doubts(turn: DecodedTurn) -> View:
    value: View = {"note": turn.note} if turn.note else {}
    if turn.others:
        value["others"] = [format_play(play) for play in turn.others]
    return value


def entry_view(
    read: NacbracRead, number: int, entry: ResolvedEntry, engine: View | None = None
) -> View:
    """A play of a nacbrac, which has a number in its text; `engine` adds an engine's judgement."""
    value: View = {
        "nacbrac": number,
        "token": entry.entry.text,
        "score": read.nacbrac.score,
        "roll": str(read.state.roll),
        "nactation": str(entry.nactation),
        "play": format_play(entry.play),
        "error": entry.entry.error,
        "position_id": format_position_id(read.state.position),
        "after": format_position_id(entry.play.after),
        "reading": entry.how.value,
        "sure": entry.sure.value,
    }
    value |= engine or {}
    if entry.note:
        value["note"] = entry.note
    if read.nacbrac.suffix:
        value["suffix"] = read.nacbrac.suffix
    return value


def action_view(nacbrac: CubeNacbrac, state: GameState | None, number: int, action: Action) -> View:
    """A cube action of a nacbrac; the position is null if it is unknown."""
    value: View = {
        "nacbrac": number,
        "action": action.words,
        "best": action.right,
        "error": action.error,
        "score": nacbrac.score,
        "position_id": format_position_id(state.position) if state else None,
        "xgid": format_xgid(state) if state else None,
    }
    if nacbrac.suffix:
        value |= {"suffix": nacbrac.suffix, "bot": describe_bot(nacbrac.suffix)}
    return value


def pasted_turn_view(number: int, turn: AnnotatedTurn, place: TextPosition) -> View:
    """A turn of pasted plays, with its place in the text."""
    head: View = {"turn": number, "line": place.line, "column": place.column}
    play = format_play(turn.play) if turn.play else None
    return head | _turn_of_match(turn) | {"play": play} | _other_names(turn)


def match_turn_view(game: AnnotatedGame, turn: AnnotatedTurn, move: int, match: int = 1) -> View:
    """A turn of a match; `move` is its number in move lists. format_json describes the keys."""
    place = place_name(game.number, move, turn.action.player, match)
    head: View = {"place": place, "game": game.number, "turn": turn.number, "move": move}
    value = head | _turn_of_match(turn)
    value["xgid"] = format_xgid(turn.state) if turn.state else None
    if turn.raised > 1:
        value["raised"] = "beaver" if turn.raised == 2 else "raccoon"
    if turn.offered is not None:
        value["offered"] = turn.offered
    value |= _other_names(turn)
    if turn.problem:
        value["problem"] = turn.problem
    return value | _analysis(turn)


def _turn_of_match(turn: AnnotatedTurn) -> View:
    action = turn.action
    return {
        "player": int(action.player),
        "action": type(action).__name__.lower(),
        "roll": str(action.roll) if isinstance(action, Move) else None,
        "play": played(turn),
        "nactation": turn.nactation or None,
        "position_id": format_position_id(turn.state.position) if turn.state else None,
    }


def _other_names(turn: AnnotatedTurn) -> View:
    names = [str(naming.nactation) for naming in turn.namings[1:]]
    return {"others": names} if names else {}


def played(turn: Turn) -> str | None:
    """The play of a turn, in the words of the file if it is illegal; None for a cube action."""
    if turn.play is not None:
        return format_play(turn.play)
    return turn.action.text if isinstance(turn.action, Move) else None


def _analysis(turn: AnnotatedTurn) -> View:
    play, cube = play_of(turn), cube_of(turn)
    analysis = turn.action.analysis if isinstance(turn.action, Move) else None
    best = play.best if play and turn.best else None
    value = {
        "error": play and rounded(play.error),
        "chances": play and play.made and play.made.chances,
        "best": turn.best and str(turn.best.nactation),
        "best_chances": best and best.chances,
        "nacbrac": play and _nacbrac(turn),
        "mark": play and play.mark and play.mark.value,
        "cube_error": cube and rounded(cube.error),
        "cube_best": cube.best if cube and cube.error else None,
        "cube_nacbrac": cube and _nacbrac(turn, cube=True),
        "cube_mark": cube and cube.mark and cube.mark.value,
        "luck": analysis and rounded(analysis.luck),
    }
    return {key: field for key, field in value.items() if field is not None}


def _nacbrac(turn: AnnotatedTurn, *, cube: bool = False) -> str | None:
    return turn_nacbrac(turn, cube=cube) or None


# Steps: boards with the action on them, for the playground.


def look_view(name: Nactation) -> View:
    """A Nactation as it looks: its plain spelling, its character, and the style of that."""
    character, italic, bold, colour = name.look
    tags = "i" * italic + "b" * bold + "u" * (name.family.suffix == "_")
    look: View = {"name": str(name), "text": character}
    if tags:
        look["tags"] = tags
    if name.family.suffix == ".":
        look["dot"] = True
    if colour:
        look |= {"colour": colour_text(colour), "dark": on_black(colour)}
    return look


def board_view(state: GameState) -> View:
    """A board; if a double is `offered`, `player` answers it."""
    value: View = {
        "xgid": state.xgid,
        "id": state.position.id,
        "player": int(state.player),
        "roll": str(state.roll) if state.roll else "",
        "said": "",
    }
    return value | {"offered": 1} if state.doubled else value


def family_view(family: Family) -> View:
    """A character, with the board and the play of its example."""
    position, roll, *play = family.example.split(" ", 2)
    state = to_state(position)
    members = range(1, len(family.characters) + 1)
    return {
        "key": family.key,
        "looks": [look_view(Nactation(family, member)) for member in members],
        "word": family.word,
        "right": family.right.value,
        "meaning": family.meaning,
        "section": family.section,
        "xgid": replace(state, roll=Roll.parse(roll)).xgid,
        "player": int(state.player),
        "roll": roll,
        "said": play[0] if play else "",
    }


def turn_step(turn: DecodedTurn) -> View:
    """A turn of a sequence on its board."""
    value: View = board_view(turn.state) | {
        "player": int(turn.action.player),
        "token": turn.token.text,
        "said": format_play(turn.play) if turn.play else "",
        "reading": turn.how.value,
        "sure": turn.sure.value,
    }
    if turn.nactation:
        value |= {"look": look_view(turn.nactation), "word": turn.nactation.family.word}
    value |= _doubts(turn)
    if not isinstance(turn.action, Move):
        value |= {"cube": 1, "reading": turn.token.kind.value}
        if isinstance(turn.action, Double):
            value["doubles"] = 1
    return value


def entry_step(state: GameState, entry: ResolvedEntry) -> View:
    """A play of a nacbrac, on its board."""
    value = board_view(state) | {
        "token": f"{entry.play.roll}{entry.entry.text}",
        "look": look_view(entry.entry.name),
        "roll": str(entry.play.roll),
        "said": format_play(entry.play),
        "reading": entry.sure.value,
        "sure": entry.sure.value,
    }
    if entry.entry.error:
        value["error"] = round(entry.entry.error, 3)
    return value | ({"note": entry.note} if entry.note else {})


def choice_step(state: GameState, choice: Choice) -> View:
    """A play of an analysis, on its board."""
    assert choice.play is not None
    look = {"look": look_view(choice.name)} if choice.name else {}
    value = (
        board_view(state)
        | look
        | {
            "token": token(choice, str).strip(),
            "roll": str(choice.play.roll),
            "said": choice.text,
            "reading": choice.level,
            "sure": "sure",
        }
    )
    return value | ({"error": round(choice.loss, 3)} if choice.loss else {})


def action_step(state: GameState, action: Action) -> View:
    """A cube action of a nacbrac, on the board of the player who decides."""
    if action.words in {"take", "pass"}:
        position = state.position.switch_sides()
        state = replace(state, position=position, player=state.player.other, doubled=True)
    reading = "right" if action.right else "wrong"
    value = board_view(state) | {
        "token": in_prose(action.words),
        "sure": "sure",
        "reading": reading,
    }
    return value | ({"error": round(action.error, 3)} if action.error else {})


# Texts being typed.


def progress_view(progress: Progress) -> View:
    """A typed text as far as it can be read, the possible continuations, and the error."""
    decoded = progress.decoded
    is_read = decoded and (decoded.turns or not progress.error)
    value = _sequence_view(decoded) if decoded and is_read else _position_view(progress)
    if progress.is_unfinished:
        return value | {"unfinished": "the second die"}
    following = progress.next_token
    options = _options(following) if following else []
    if progress.error:
        value["error"] = _error_view(progress)
        if following:
            value["state"] = board_view(following.state)
            value["error"]["possible"] = [option["look"] for option in options if "look" in option]
    if following:
        value["options"] = options
        if following.keep is not None:
            value["keep"] = following.keep
    return value


def _position_view(progress: Progress) -> View:
    """A position without a readable sequence after it."""
    board = board_view(progress.start or GameState())
    value: View = {"turns": [], "state": board, "sequence": ""}
    return value | {"named": True} if progress.name else value


def _sequence_view(decoded: Decoded) -> View:
    value: View = {
        "turns": list(map(turn_step, decoded.turns)),
        "state": board_view(decoded.state),
        "sequence": decoded.sequence,
    }
    if decoded.start_name:
        value["start"] = decoded.start_name
    return value | {"over": 1} if decoded.is_over else value


def _error_view(progress: Progress) -> View:
    """The error of a text, with the text around it."""
    text, error, at = progress.text, progress.error, progress.at
    wrong = _NAME.match(text, at + 2) if progress.wrong_roll else None
    first, last = wrong.span() if wrong else (at, at + 1)
    return {
        "message": error.reason if isinstance(error, IllegalError) else str(error),
        "before": text[max(first - 40, 0) : first],
        "wrong": text[first:last],
        "after": text[last : last + 20],
    }


def _options(following: NextToken) -> list[View]:
    if following.state.doubled:
        return [{"said": "take", "token": "T"}, {"said": "drop", "token": "P"}]
    return _play_options(following.state.position, following.plays)


@lru_cache(maxsize=64)
def _play_options(position: Position, plays: Plays) -> list[View]:
    """All plays of a roll with their letters, by family; or a fan."""
    if not plays:
        fan = fan_naming(position, plays)
        return [_option(fan.nactation, fan.nactation.family.word) if fan else _NO_PLAY]
    return [
        play_option(play, plays)
        for family in plays.areal_families()
        for play in plays.reading(family).members
    ]


def play_option(play: Play, plays: Plays) -> View:
    """A play with its letter, and the other letters that it has."""
    name = plays.name(play).naming.nactation
    others = [
        look_view(naming.nactation) for naming in plays.letters(play) if naming.nactation != name
    ]
    value = _option(name, format_play(play))
    return value | {"others": others} if others else value


def _option(name: Nactation, text: str) -> View:
    return {"look": look_view(name), "said": text, "token": str(name)}


_NAME = re.compile(r"[^\s,;-]+")
_NO_PLAY = {"said": "no play", "token": ""}  # the roll alone is the token


def nacbrac_view(decision: Decision, nacbrac: Nacbrac | CubeNacbrac, **more: Any) -> View:
    """Return a nacbrac with its state; about the cube also what each action loses.

    `more` describes the play made.
    """
    state = decision.state.before_double
    value = {
        "nacbrac": str(nacbrac),
        "score": nacbrac.score,
        "roll": str(state.roll) if state.roll else None,
        **more,
        "position_id": format_position_id(state.position),
        "xgid": format_xgid(state),
    }
    cube = decision.cube
    if isinstance(nacbrac, CubeNacbrac) and cube:
        names = "no_double", "double_take", "double_pass"
        value |= {
            "best": nacbrac.best,
            "equities": {name: round(getattr(cube, name), 6) for name in names},
            "actions": [
                {"action": action.words, "best": action.right, "error": action.error}
                for action in actions_of(nacbrac)
            ],
        }
        if cube.match_chances:
            chances = zip(names, cube.match_chances, strict=True)
            value["match_chances"] = {name: round(chance, 6) for name, chance in chances}
    return value


def rated_views(decision: Decision) -> list[View]:
    """Return the rated plays, the best first, with their equities and errors."""
    best = decision.choices[0]
    return [_rated_view(choice, best) for choice in decision.choices if choice.equity is not None]


def _rated_view(choice: Choice, best: Choice) -> View:
    assert choice.play is not None
    value = {
        "nactation": str(choice.name),
        "play": choice.text,
        "equity": round(choice.equity or 0.0, 6),
        "error": round(choice.loss or 0.0, 3),
        "after": format_position_id(choice.play.after),
    }
    if choice.match_chance is not None:
        value["match_chance"] = round(choice.match_chance, 6)
    if choice.standard_error is not None:
        value["standard_error"] = round(choice.standard_error, 6)
        if choice is not best and (error := error_of_loss(choice, best)) is not None:
            value["standard_error_of_error"] = round(error, 6)
    return value

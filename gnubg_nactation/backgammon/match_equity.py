"""Winning chances by score: the Kazaross XG2 match equity table, gnubg's default.

The table is Copyright (C) 2011 Neil Kazaross. Rolled up to a 9 point match by eXtreme Gammon, then
Rockwell/Kazaross to 15, extrapolated to 25 points; transcribed for GNU Backgammon by Michael Petch.
Copying and distribution of this table, with or without modification, are permitted in any medium
without royalty provided the copyright notice and this notice are preserved. It is offered as-is,
without any warranty.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from gnubg_nactation.backgammon.state import Player

LONGEST = 25  # points: the match for which the table ends


def winning_chances(
    length: int, score: tuple[int, int], player: Player, points: int, *, crawford: bool
) -> tuple[float, float] | None:
    """The player's match winning chances after winning, and after losing, `points` in this game.

    `score` is the score before the game and `crawford` whether this is the Crawford game. None if
    the table is too short, and in a money session.
    """
    away = [length - points for points in score]
    if not all(1 <= need <= LONGEST for need in away) or points < 1:
        return None
    after = crawford or 1 in away
    won, lost = away.copy(), away.copy()
    won[player] -= points
    lost[player.other] -= points
    return (
        winning_chance(won[player], won[player.other], after_crawford=after),
        winning_chance(lost[player], lost[player.other], after_crawford=after),
    )


def winning_chance(away: int, other_away: int, *, after_crawford: bool) -> float:
    """The chance of a player who needs `away` points before a game, at most LONGEST each.

    If a player needs one point, the Crawford game comes next unless `after_crawford`.
    """
    if away <= 0:
        return 1.0
    if other_away <= 0:
        return 0.0
    if after_crawford and min(away, other_away) == 1:
        chance = _POST_CRAWFORD[max(away, other_away) - 1] / 1e6  # of the trailing player
        return chance if other_away == 1 else 1 - chance
    if away == other_away:
        return 0.5
    chance = _leads()[min(away, other_away), max(away, other_away)] / 1e6
    return chance if away < other_away else 1 - chance


@cache
def _leads() -> dict[tuple[int, int], int]:
    return dict(zip(combinations(range(1, LONGEST + 1), 2), map(int, _LEADS.split()), strict=True))


# In millionths: needing 1 point against 2 to 25, then 2 against 3 to 25, and so on.
_LEADS = """
677360 750760 814360 841790 887310 907240 932500 944020 959275 966442 975534 979845 985273
987893 991140 992730 994670 995630 996790 997370 998070 998420 998840 999050 599470 668700
743590 799400 842250 875390 901970 923034 939311 952470 962495 970701 976887 981960 985800
988930 991290 993220 994660 995850 996750 997460 998020 571500 647950 711230 762090 804680
840170 870638 894417 914831 930702 944426 954931 963990 970930 976870 981390 985220 988140
990620 992480 994070 995270 577320 642850 699240 745770 787990 824059 853955 879141 900233
918040 932657 944950 954990 963410 970210 975890 980440 984220 987260 989750 991740 566350
626380 677860 725400 767055 802732 833654 859934 882866 902013 918470 932230 943970 953670
961890 968640 974320 978960 982830 986000 562610 616360 667870 713057 753427 788634 819569
846648 869999 890210 907560 922460 935080 945830 954880 962540 968940 974320 978790 554800
608540 656283 700209 739054 774121 805203 832566 856590 877610 895910 911710 925350 937020
947030 955530 962760 968870 554420 603718 649899 691356 729447 763593 794397 821580 845780
867140 885890 902300 916580 928980 939680 948910 956820 550196 597926 641481 682119 718927
752814 783010 810370 834830 856620 875910 892940 907910 920980 932400 942300 548547 593459
635880 674830 711113 743710 773750 800930 825430 847410 867030 884480 899910 913530 925500
545552 589242 629736 667927 703030 735300 764940 791980 816480 838620 858490 876290 892140
906220 544068 585701 625259 661780 696100 727780 757030 783810 808260 830440 850510 868560
884760 541943 582545 620360 656190 689660 720810 749630 776190 800540 822760 842950 861230
540750 579420 616340 651170 683910 714480 742900 769170 793390 815590 835860 539160 576790
612610 646590 678590 708620 736640 762650 786690 808830 537960 574410 609290 642410 673760
703230 730840 756570 780460 536760 572220 606180 638560 669250 698220 725420 750870 535740
570230 603360 635010 665100 693560 720380 534750 568380 600730 631710 661220 689210 533870
566670 598300 628640 657600 533030 565080 596030 625760 532260 563600 593910 531530 562210
530860
"""

# In millionths: needing 1 to 25 points against an opponent who needs one.
_POST_CRAWFORD = (
    *(500000, 488030, 322640, 310020, 190120, 180720, 115590, 109060, 69530, 65161, 42069, 39060),
    *(25371, 23428, 15304, 14050, 9240, 8420, 5560, 5050, 3360, 3030, 2030, 1820, 1230),
)

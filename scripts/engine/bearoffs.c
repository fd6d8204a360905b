/* The table of bear-offs with at most six checkers on each side, all in their home boards: the file
   that gnubg's `makebearoff -t 6x6` writes in minutes, byte for byte. The sides do not meet, so the
   plays of 924 sides are enough. */
#include <config.h>
#include <glib.h>
#include "positionid.h"
#include "bearoffs.h"

enum { POINTS = 6, CHECKERS = 6, SIDES = 924, ROLLS = 21, MAX_PLAYS = 100000 };
enum { CUBELESS, OWNED, CENTERED, OTHERS, EQUITIES }; /* by the owner of the cube */

#define HEADER "gnubg-TS-06-06-1xxxxxxxxxxxxxxxxxxxxxxx\n"

typedef int16_t equities __attribute__((vector_size(8)));
typedef int32_t totals __attribute__((vector_size(16)));
static const int16_t won = 0x7FFF; /* a single game */
static const equities all_won = {0x7FFF, 0x7FFF, 0x7FFF, 0x7FFF};
static const equities all_lost = {-0x8000, -0x8000, -0x8000, -0x8000};

static uint16_t reached[MAX_PLAYS]; /* the sides that plays lead to */
static unsigned starts[SIDES][ROLLS + 1]; /* where those of each side and roll begin */

/* Add the sides that dice lead to, each once; a die can be played if a checker is left. */
static unsigned add_plays(unsigned start, unsigned end, unsigned side[POINTS], const int *dice,
                          int count)
{
    unsigned higher = 0;
    for (int from = POINTS - 1; count && from >= 0; higher += side[from--]) {
        int to = from - *dice;
        if (!side[from] || (to < -1 && higher))
            continue;
        side[from]--;
        if (to >= 0)
            side[to]++;
        end = add_plays(start, end, side, dice + 1, count - 1);
        if (to >= 0)
            side[to]--;
        side[from]++;
    }
    if (!count || !higher) {
        uint16_t number = PositionBearoff(side, POINTS, CHECKERS);
        for (unsigned i = start; i < end; i++)
            if (reached[i] == number)
                return end;
        reached[end++] = number;
    }
    return end;
}

static void find_plays(void)
{
    unsigned end = 0;
    for (unsigned number = 0; number < SIDES; number++) {
        unsigned side[POINTS], *start = starts[number];
        PositionFromBearoff(side, number, POINTS, CHECKERS);
        for (int high = 1; high <= 6; high++)
            for (int low = 1; low <= high; low++) {
                const int dice[] = {high, low, high, low};
                *start++ = end;
                if (high == low)
                    end = add_plays(end, end, side, dice, 4);
                else {
                    unsigned both = add_plays(end, end, side, dice, 2);
                    end = add_plays(end, both, side, dice + 1, 2);
                }
            }
        *start = end;
    }
}

/* The equity of a player who may double before his roll. */
static int16_t with_double(int16_t no_double, int16_t double_take)
{
    if (double_take < no_double / 2)
        return no_double;
    return double_take >= won / 2 ? won : (int16_t) (2 * double_take);
}

/* The equities of a side on roll. `responses` has those of the opponent for each side that a play
   leads to. */
static equities roll_out(unsigned side, const equities *responses)
{
    totals sum = {0};
    const unsigned *start = starts[side];
    for (int high = 1; high <= 6; high++)
        for (int low = 1; low <= high; low++, start++) {
            equities least = responses[reached[start[0]]];
            for (unsigned play = start[0] + 1; play < start[1]; play++)
                least = __builtin_elementwise_min(least, responses[reached[play]]);
            sum += __builtin_convertvector(~least, totals) << (high != low);
        }
    return __builtin_convertvector(sum / 36, equities);
}

static char *file;

extern const char *bearoff_file(size_t *size)
{
    if (size)
        *size = sizeof HEADER - 1 + SIDES * SIDES * sizeof(equities);
    return file;
}

extern void make_bearoffs(void)
{
    /* The equities of the first side on roll against the second, as its opponent gets them: by the
       owner from his side, and after a double. */
    equities *responses = malloc(SIDES * SIDES * sizeof(equities));
    file = malloc(sizeof HEADER - 1 + SIDES * SIDES * sizeof(equities));
    strcpy(file, HEADER);
    find_plays();
    for (unsigned i = 0; i < SIDES; i++)
        for (unsigned j = 0; j <= 2 * i + 1; j++) { /* all pairs whose plays lead to earlier ones */
            unsigned own = j % 2 ? j / 2 : i, other = j % 2 ? i : j / 2, pair = own * SIDES + other;
            equities now = own ? all_lost : all_won;
            if (own && other)
                now = roll_out(own, responses + other * SIDES);
            responses[pair] = (equities) {
                now[CUBELESS], now[OTHERS], with_double(now[CENTERED], now[OTHERS]),
                with_double(now[OWNED], now[OTHERS])};
            now += all_lost; /* the file has no signs */
            memcpy(file + sizeof HEADER - 1 + pair * sizeof now, &now, sizeof now);
        }
    free(responses);
}

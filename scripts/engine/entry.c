/* The entry points: gnubg's eval.c and rollout.c, and what is asked from outside.

   A question is a row of ints at `question()`, the answer a row of floats at `answer()`. A function
   returns the number of floats, or -1 if gnubg has failed. An answer depends on its question alone:
   what is remembered from one question to the next only saves time. */
#include <config.h>
#include "backgammon.h"
#include "eval.h"
#undef CACHE_SIZE_DEFAULT
#define CACHE_SIZE_DEFAULT 17 /* 7 MB instead of 29 */
#include "eval.c"
#include "rollout.c"
#include "bearoffs.h"

/* Only these are visible, so that the linker drops what no question needs: dialogs, logs, threads. */
#define EXPORT(name) __attribute__((export_name(#name), visibility("default"))) extern

enum { POINTS = 26 }; /* from the opponent's bar to the mover's; his checkers are negative */
enum { CUBE, OWNER, MOVER, LENGTH, SCORE, OTHER_SCORE, CRAWFORD, JACOBY, PLIES, BOARDS };
enum { ROW = NUM_OUTPUTS + 2 }; /* chances, cubeless equity, cubeful equity */

static int questions[BOARDS + MAX_MOVES * POINTS];
static float answers[MAX_MOVES * ROW];
static move moves[MAX_MOVES];

static TanBoard board; /* the first of the question */
static cubeinfo stake;
static evalcontext depth;

__attribute__((constructor)) static void start(void)
{
    EvalInitialise(NULL, "gnubg.wd", FALSE, NULL);
    InitMatchEquity("Kazaross-XG2.xml");
    td.tld = MT_CreateThreadLocalData(0);
}

static void read_board(int number)
{
    const int *points = questions + BOARDS + number * POINTS;
    for (int i = 1; i < POINTS; i++) {
        board[0][i - 1] = MAX(-points[POINTS - 1 - i], 0);
        board[1][i - 1] = MAX(points[i], 0);
    }
}

/* Whether a search from this board, or one after its roll, may reach the table of bear-offs: a roll
   takes off at most four checkers. */
static int may_bear_off(int plies)
{
    int own = 0, other = 0;
    for (int i = 1; i < POINTS; i++) {
        own += board[1][i - 1];
        other += board[0][i - 1];
    }
    return MAX(own, other) <= 6 + 4 * (plies / 2 + 1);
}

/* The cache keeps the positions of one stake and depth, as its keys do not have all of both. */
static int kept[BOARDS];

static void prepare_cache(void)
{
    int now[BOARDS];
    memcpy(now, questions, sizeof now);
    now[MOVER] = 0; /* the keys have it */
    cCache = now[PLIES] ? 1 << CACHE_SIZE_DEFAULT : 0; /* flushing it takes longer than 0-ply */
    if (cCache && memcmp(kept, now, sizeof now)) {
        EvalCacheFlush();
        memcpy(kept, now, sizeof now);
    }
}

static void prepare_bearoffs(void)
{
    if (pbc2)
        return;
    make_bearoffs(); /* it takes a quarter of a second */
    pbc2 = BearoffInit("gnubg_ts0.bd", BO_IN_MEMORY | BO_MUST_BE_TWO_SIDED, NULL);
}

static void read_question(int cubeful)
{
    const int *of = questions, scores[] = {of[SCORE], of[OTHER_SCORE]};
    prepare_cache();
    read_board(0);
    if (may_bear_off(of[PLIES]))
        prepare_bearoffs();
    SetCubeInfo(&stake, of[CUBE], of[OWNER], of[MOVER], of[LENGTH], scores, of[CRAWFORD],
                of[JACOBY], FALSE, VARIATION_STANDARD);
    depth = (evalcontext) {cubeful, of[PLIES], TRUE, TRUE, 0.0f};
}

EXPORT(question) int *question(void) { return questions; }

EXPORT(answer) float *answer(void) { return answers; }

/* Rate the boards that the mover's plays reach: a row for each, from his side. */
EXPORT(rate) int rate(int count)
{
    movelist list = {.cMoves = count, .amMoves = moves};
    read_question(TRUE);
    for (int i = 0; i < count; i++) {
        read_board(i);
        PositionKey((ConstTanBoard) board, &moves[i].key);
    }
    if (ScoreMoves(&list, &stake, &depth, depth.nPlies))
        return -1;
    for (int i = 0; i < count; i++) {
        memcpy(answers + i * ROW, moves[i].arEvalMove, (ROW - 1) * sizeof(float));
        answers[i * ROW + ROW - 1] = moves[i].rScore;
    }
    return count * ROW;
}

/* Evaluate the board before the roll: the chances and the cubeless equity. */
EXPORT(evaluate) int evaluate(void)
{
    read_question(FALSE);
    return GeneralEvaluationE(answers, (ConstTanBoard) board, &stake, &depth) ? -1 : ROW - 1;
}

/* Judge the cube: the equities of the best action, no double, double and take, double and pass. */
EXPORT(judge) int judge(void)
{
    float outputs[2][NUM_ROLLOUT_OUTPUTS];
    read_question(TRUE);
    if (GeneralCubeDecisionE(outputs, (ConstTanBoard) board, &stake, &depth, NULL))
        return -1;
    FindCubeDecision(answers, outputs, &stake);
    return NUM_CUBEFUL_OUTPUTS;
}

/* The equity of the mover's best play of a roll at 0-ply, or of none if there is no play. */
static float best_equity(const TanBoard from, const cubeinfo *mover, int high, int low)
{
    movelist list;
    GenerateMoves(&list, from, high, low, FALSE);
    if (!list.cMoves) {
        list = (movelist) {.cMoves = 1, .amMoves = moves};
        PositionKey(from, &moves->key);
    }
    ScoreMoves(&list, mover, &depth, 0);
    return list.rBestScore;
}

/* The luck of a roll: the gain over the average roll, at 0-ply. As gnubg's LuckAnalysis does, the
   roll that opens a game is compared with the rolls of both players. */
EXPORT(luck) int luck(int high, int low, int opening)
{
    TanBoard swapped;
    cubeinfo other;
    float own = 0.0f, mean = 0.0f;
    read_question(TRUE);
    memcpy(swapped, board, sizeof board);
    SwapSides(swapped);
    other = stake;
    other.fMove = !stake.fMove;
    for (int i = 1; i <= 6; i++)
        for (int j = 1; j <= i - !!opening; j++) {
            float equity = best_equity((ConstTanBoard) board, &stake, i, j);
            if (i == high && j == low)
                own = equity;
            if (opening)
                mean += equity - best_equity((ConstTanBoard) swapped, &other, i, j);
            else
                mean += i == j ? equity : 2 * equity;
        }
    answers[0] = own - mean / (opening ? 30 : 36);
    return 1;
}

/* The plies of the rollout's plays and cubes are those of the question, those of a truncated game's
   end are `ends`; the rest are gnubg's own settings. */
static rolloutcontext rollout_settings(int seed, int truncate, unsigned ends)
{
    static movefilter filters[MAX_FILTER_PLIES][MAX_FILTER_PLIES] = MOVEFILTER_NORMAL;
    rolloutcontext settings = {
        .aecCubeTrunc = {TRUE, ends, TRUE, TRUE, 0.0f},
        .aecChequerTrunc = {TRUE, ends, TRUE, TRUE, 0.0f},
        .fCubeful = TRUE, .fVarRedn = TRUE, .fRotate = TRUE, .fTruncBearoff2 = TRUE,
        .fTruncBearoffOS = TRUE, .fDoTruncate = truncate > 0, .nTruncate = truncate,
        .rngRollout = RNG_MERSENNE, .nSeed = seed};
    for (int i = 0; i < 2; i++) {
        settings.aecCube[i] = settings.aecChequer[i] = depth;
        memcpy(settings.aaamfChequer[i], filters, sizeof filters);
    }
    return settings;
}

/* Play games of a rollout after the play that reaches the board, from number `first` on: a row for
   each with the mover's chances, cubeless equity and cubeful equity. A game depends on the seed and
   its number alone, so that games can be played anywhere in any order. `truncate`: the rolls of a
   game, 0 for all; `ends`: the plies of the evaluation after them. */
EXPORT(roll_out) int roll_out(int first, int count, int seed, int truncate, int ends)
{
    static perArray permutations = {.nPermutationSeed = -1};
    cubeinfo opponents;
    int may_double = TRUE;
    rngcontext *dice = CopyRNGContext(NULL);
    read_question(TRUE);
    prepare_bearoffs();
    rolloutcontext settings = rollout_settings(seed, truncate, ends);
    cCache = 1 << CACHE_SIZE_DEFAULT;
    kept[CUBE] = 0; /* the next question finds nothing */
    opponents = stake;
    opponents.fMove = !stake.fMove;
    QuasiRandomSeed(&permutations, seed);
    for (int i = 0; i < count; i++) {
        TanBoard start;
        float outputs[1][NUM_ROLLOUT_OUTPUTS];
        EvalCacheFlush();
        memcpy(start, board, sizeof start);
        SwapSides(start);
        InitRNGSeed((unsigned) seed + ((unsigned) (first + i) << 8), RNG_MERSENNE, dice);
        if (BasicCubefulRollout(&start, outputs, 0, first + i, &opponents, &may_double, 1, &settings,
                                NULL, opponents.nCube, &permutations, dice, NULL))
            return -1;
        InvertEvaluationR(*outputs, &opponents);
        if (stake.nMatchTo) /* it is a chance to win the match */
            outputs[0][OUTPUT_CUBEFUL_EQUITY] = mwc2eq(outputs[0][OUTPUT_CUBEFUL_EQUITY], &stake);
        memcpy(answers + i * ROW, outputs, sizeof outputs);
    }
    free(dice);
    return count * ROW;
}

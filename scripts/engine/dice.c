/* The dice of rollouts, as gnubg's dice.c rolls them with its usual generator. */
#include <config.h>
#include "backgammon.h"
#include "dice.h"
#include "mt19937ar.h"

struct rngcontext {
    int at;
    unsigned long numbers[MT_ARRAY_N];
};

extern rngcontext *CopyRNGContext(rngcontext *context)
{
    return calloc(1, sizeof(rngcontext));
}

extern void InitRNGSeed(unsigned seed, const rng kind, rngcontext *context)
{
    init_genrand(seed, &context->at, context->numbers);
}

static unsigned roll_die(rngcontext *context)
{
    const uint32_t sixth = UINT32_MAX / 6;
    uint32_t number;
    do
        number = genrand_int32(&context->at, context->numbers);
    while (number >= 6 * sixth);
    return 1 + number / sixth;
}

extern int RollDice(unsigned dice[2], rng *kind, rngcontext *context)
{
    dice[0] = roll_die(context);
    dice[1] = roll_die(context);
    return 0;
}

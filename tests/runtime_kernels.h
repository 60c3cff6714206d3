/* runtime_kernels.h - the kernels that the tests of the tracer run, each behind a host function.
 *
 * The kernels are compiled with the gallery's flags; this header is also for the tests, which are
 * not.
 */
#ifndef WARPLENS_TESTS_RUNTIME_KERNELS_H
#define WARPLENS_TESTS_RUNTIME_KERNELS_H

#include "warplens/cuda.h"

/* Places in the source of the kernels. HERE(place, expression) is the expression, and makes the
 * place known by file and line. */
enum here { HERE_LOAD, HERE_STORE, HERE_OTHER, HERE_BARRIER, HERE_COUNT };
void runtime_note(enum here here, const char *file, unsigned line);
#define HERE(place, expression) (runtime_note(place, __FILE__, __LINE__), expression)

/* What a test asks of a host function; what is 0 takes the default. */
struct runtime_args {
    dim3 grid, block; /* 1 x 1 x 1 and 32 x 1 x 1 */
    int n, choice;    /* as the kernel says */
    void *result;     /* the kernel's output, when the host function copies it */
};

#define RUNTIME_HOST(name) void run_##name(const struct runtime_args *args);

struct pair {
    float a, b;
};
struct triple {
    float x, y, z;
};
struct rgb {
    char r, g, b;
};

/* runtime_kernels.c: one kernel a memory space, element type and way of access. */
/* clang-format off */
#define RUNTIME_COPIES(X)                                                                          \
    X(copyChar, char) X(copyShort, short) X(copyInt, int) X(copyDouble, double)                    \
    X(copyFloat2, float2) X(copyInt2, int2) X(copyShort4, short4) X(copyFloat4, float4)            \
    X(copyInt4, int4) X(copyDouble2, double2) X(copyFloat3, float3) X(copyPair, struct pair)       \
    X(copyTriple, struct triple) X(copyRgb, struct rgb)
/* clang-format on */
#define RUNTIME_COPY_HOST(name, type) RUNTIME_HOST(name)
RUNTIME_COPIES(RUNTIME_COPY_HOST)
RUNTIME_HOST(whoAmI)     /* result: 12 unsigned a thread: thread, block, blockDim, gridDim */
RUNTIME_HOST(addArrays)  /* out[i] = a[i] + b[i] for i < n; result: out */
RUNTIME_HOST(addInLoop)  /* n launches of addArrays, each with arrays of its own, freed behind it */
RUNTIME_HOST(copyTwice)  /* two launches: b from a, then c from b */
RUNTIME_HOST(copyInLoop) /* structs of 12 bytes, lane t n + t % 3 of them */
RUNTIME_HOST(sumFloat4)  /* a float4 load whose fields are used one by one; result: sums */
RUNTIME_HOST(sharedTriples) /* structs through shared memory; result: struct triple */
RUNTIME_HOST(sharedTwo)     /* two arrays, the second touched first */
RUNTIME_HOST(sharedEither)  /* two launches: array a, then array b through one pointer */
RUNTIME_HOST(sharedDynamic) /* n bytes of dynamic shared memory */
RUNTIME_HOST(readOnlyGather)
RUNTIME_HOST(readOnlySame)
RUNTIME_HOST(readOnlyArray)
RUNTIME_HOST(textureGather)
RUNTIME_HOST(constantTables)
RUNTIME_HOST(localArray) /* result: n int a thread */
RUNTIME_HOST(countAccesses)

/* runtime_kernels_divergence.c and _calls.c: which lanes are where. Each kernel calls visit(log,
 * key) with keys below DIVERGENCE_KEYS; n scales the trip counts. */
enum { DIVERGENCE_KEYS = 8192 };
#define RUNTIME_DIVERGENCE(X)                                                                      \
    X(ifElse)                                                                                      \
    X(nestedIf)                                                                                    \
    X(nestedLoops)                                                                                 \
    X(bareNestedLoops)                                                                             \
    X(earlyReturn)                                                                                 \
    X(breakContinue) X(quietIterations) X(switchCases) X(doWhile) X(collatz) X(returnFromLoops)
#define RUNTIME_CALLS(X)                                                                           \
    X(twoCallSites) X(callFromLoop) X(callInCondition) X(recursion) X(twoRecursions)
RUNTIME_DIVERGENCE(RUNTIME_HOST)
RUNTIME_CALLS(RUNTIME_HOST)
RUNTIME_HOST(shortCircuit)
RUNTIME_HOST(selectArray)
RUNTIME_HOST(lateLoopEnd) /* whose end lanes come to after n visits */
RUNTIME_HOST(longLanes)   /* lane i makes n * (i + 1) / 32 accesses */

/* How often lane t goes round, and what it does there: the same for a kernel and its model. */
static inline int trips_outer(int t)
{
    return (t * 5 + 3) % 7;
}
static inline int trips_inner(int t, int i)
{
    return (t * 3 + i * 5) % 6;
}
static inline int is_quiet(int t, int i)
{
    return (t + i * 3) % 4 != 0;
}

/* runtime_kernels_warp.c: lockstep, intrinsics, barriers, atomics. */
RUNTIME_HOST(lastWarp) /* result: one int */
RUNTIME_HOST(volatileNeighbour)
RUNTIME_HOST(volatileLoop)
RUNTIME_HOST(barrierLoop)
RUNTIME_HOST(barrierUniform)
RUNTIME_HOST(barrierInFunction)
/* choice: enum wl_shuffle; n: lane or distance + 1000 * width (0 is 32). result: a value a lane */
#define RUNTIME_SHUFFLED(i) (1000000007LL * (i) + 1)
RUNTIME_HOST(shuffleInt)
RUNTIME_HOST(shuffleUnsigned)
RUNTIME_HOST(shuffleFloat)
RUNTIME_HOST(shuffleDouble)
RUNTIME_HOST(shuffleLong)
RUNTIME_HOST(shuffleDivergent) /* result: two int a lane */
RUNTIME_HOST(shuffleInLoop)
RUNTIME_HOST(shuffleSum)
RUNTIME_HOST(votes) /* result: VOTE_WORDS unsigned a lane */
enum { VOTE_WORDS = 6 };
RUNTIME_HOST(activeMasks)
RUNTIME_HOST(syncWarp)

/* runtime_kernels_atomics.c. n: lanes share n targets. result: targets and old values */
enum { ATOMIC_LANES = 64 };
#define RUNTIME_OPERAND(t) ((t)*37 % 64 - 20)
#define RUNTIME_TARGET(i) ((i)*11 % 32 - 5)
#define RUNTIME_ATOMICS(X)                                                                         \
    RUNTIME_ATOMICS_INTEGER(X, int)                                                                \
    RUNTIME_ATOMICS_INTEGER(X, unsigned)                                                           \
    RUNTIME_ATOMICS_INTEGER(X, u64) X(Add, float) X(Exch, float) X(Add, double) X(Exch, double)
#define RUNTIME_ATOMICS_INTEGER(X, type)                                                           \
    X(Add, type)                                                                                   \
    X(Sub, type) X(Min, type) X(Max, type) X(Exch, type) X(And, type) X(Or, type) X(Xor, type)
typedef unsigned long long u64;
#define RUNTIME_ATOMIC_RESULT(type)                                                                \
    struct atomic_result_##type {                                                                  \
        type target[ATOMIC_LANES], old[ATOMIC_LANES];                                              \
    };
RUNTIME_ATOMIC_RESULT(int)
RUNTIME_ATOMIC_RESULT(unsigned)
RUNTIME_ATOMIC_RESULT(u64)
RUNTIME_ATOMIC_RESULT(float)
RUNTIME_ATOMIC_RESULT(double)
#define RUNTIME_ATOMIC_HOST(op, type) RUNTIME_HOST(atomic##op##_##type)
RUNTIME_ATOMICS(RUNTIME_ATOMIC_HOST)
RUNTIME_HOST(atomicCAS_int)
RUNTIME_HOST(atomicCAS_unsigned)
RUNTIME_HOST(atomicCAS_u64)
RUNTIME_HOST(casLoop)
RUNTIME_HOST(sharedHistogram)
RUNTIME_HOST(divergentAtomics)

/* runtime_kernels_work.c: instructions that are counted one by one. A warp of n trips, or lanes. */
enum work_extra { EXTRA_NONE, EXTRA_ADDS, EXTRA_NOPS, EXTRA_DIVISION, EXTRA_SQUARE_ROOT };
enum {
    WORK_ADDS = 10,
    WORK_OF_ADDS = WORK_ADDS / 2
}; /* in EXTRA_ADDS; two sums in a row are one instruction */
#define RUNTIME_EXTRAS(X)                                                                          \
    X(None, EXTRA_NONE)                                                                            \
    X(Adds, EXTRA_ADDS)                                                                            \
    X(Nops, EXTRA_NOPS) X(Division, EXTRA_DIVISION) X(SquareRoot, EXTRA_SQUARE_ROOT)
#define RUNTIME_EXTRA_HOSTS(name, extra)                                                           \
    RUNTIME_HOST(extraBeforeStore##name)                                                           \
    RUNTIME_HOST(extraBeforeBarrier##name) RUNTIME_HOST(extraBeforeEnd##name)
RUNTIME_EXTRAS(RUNTIME_EXTRA_HOSTS)
RUNTIME_HOST(quietLoop)   /* n trips without an access, then a store */
RUNTIME_HOST(unevenLoop)  /* n trips for the first half of the warp, one for the rest */
RUNTIME_HOST(twoSides)    /* the lanes below n on one side, with WORK_ADDS more than the other */
RUNTIME_HOST(skippedSide) /* the lanes below n store, then all do */

/* runtime_kernels_loads.c: where addresses come from. index[i] = RUNTIME_INDEX(i). */
#define RUNTIME_INDEX(i) (((i)*5 + 3) % 32 ^ ((i)&6))
RUNTIME_HOST(chaseIndices) /* n steps of every lane */
RUNTIME_HOST(chaseAlone)   /* n steps of one lane */
RUNTIME_HOST(chasePointers)
RUNTIME_HOST(gatherByIndex)
RUNTIME_HOST(gatherByByte)
RUNTIME_HOST(gatherStructs) /* of 12 bytes */
RUNTIME_HOST(gatherLate)    /* choice: other loads between the index and its use */
RUNTIME_HOST(gatherAfterBarrier)
RUNTIME_HOST(gatherByShared)
RUNTIME_HOST(scatterByIndex)
RUNTIME_HOST(countByIndex)
RUNTIME_HOST(copyIdentity) /* the lanes below n; in[i] = i */
RUNTIME_HOST(copyPermuted) /* the index is computed, the data are an index */
/* Loops with one load an iteration, at HERE_LOAD. */
RUNTIME_HOST(sumByBlock)      /* n iterations; the step is blockDim.x */
RUNTIME_HOST(sumConstantStep) /* n iterations */
RUNTIME_HOST(sumMuch)
RUNTIME_HOST(sumQuotients)
RUNTIME_HOST(sumReciprocalRoots)
RUNTIME_HOST(fillTwoTiles)
RUNTIME_HOST(fillByBlock)
RUNTIME_HOST(sumConstantBound)
enum { CONSTANT_BOUND = 40 };
enum { EVEN_TRIPS = 100 }; /* unevenLoop: n beyond that is for all lanes */
RUNTIME_HOST(sumNested)    /* n iterations with n inner ones; the inner step is blockDim.x */
RUNTIME_HOST(sumNestedBy1) /* the inner step is 1 */
RUNTIME_HOST(sumUneven)    /* by blockDim.x; n iterations of the odd lanes, 1 of the others */
RUNTIME_HOST(sumByCall)    /* by blockDim.x; a function loads */
RUNTIME_HOST(sumByIndex)   /* data[index[..]], n times, the index at HERE_OTHER */
RUNTIME_HOST(sumWide)      /* 16 bytes and 16 at HERE_OTHER, n times */
RUNTIME_HOST(storeByIndex) /* the same, each stored at HERE_STORE */
RUNTIME_HOST(sumUntil)     /* the step is 1; ends at the first value that is not 0 or after n */
RUNTIME_HOST(sumAndStore)  /* by blockDim.x; each iteration stores, too */
RUNTIME_HOST(loadAround)   /* a load, n iterations without, another load */
RUNTIME_HOST(sumToBarrier) /* by blockDim.x; each iteration has a barrier */

/* runtime_kernels_errors.c. */
RUNTIME_HOST(loadAt) /* n: elements to add to the index; choice: enum load_from */
enum load_from { FROM_ARRAY, FROM_NULL, FROM_HOST, FROM_FREED, FROM_UNWRITTEN, FROM_FIRST };
RUNTIME_HOST(loadDoubleAt) /* n: floats to add to the address; the last two are not written */
RUNTIME_HOST(loadFloat4At)
RUNTIME_HOST(storeAt)
RUNTIME_HOST(atomicAt)
RUNTIME_HOST(sharedAt)
RUNTIME_HOST(dynamicAt) /* with 100 bytes */
RUNTIME_HOST(barrierInBranch)
RUNTIME_HOST(barrierAfterReturn)
RUNTIME_HOST(barrierOfOneWarp)
RUNTIME_HOST(barrierTwo)
RUNTIME_HOST(barrierUneven)
RUNTIME_HOST(constantStore)
RUNTIME_HOST(failInBlock)     /* in block n, then another launch */
RUNTIME_HOST(volatileFailure) /* a volatile store past the end, with lanes in lockstep */
RUNTIME_HOST(hugeAllocation)
RUNTIME_HOST(copyPastEnd) /* choice: enum cudaMemcpyKind */
RUNTIME_HOST(setPastEnd)  /* of n bytes */
RUNTIME_HOST(plainLaunch) /* grid and block as given, n bytes of dynamic shared memory */

#endif

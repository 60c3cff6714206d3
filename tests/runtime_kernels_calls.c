/* runtime_kernels_calls.c - kernels for the tests of the tracer: calls in divergent code.
 * test_tracer_calls.c has a model of each kernel.
 */
#include "runtime_kernels.h"

#include "runtime_log.h"

__device__ __noinline__ static void twoVisits(int *log, int key, int more)
{
    visit(log, key);
    if (more)
        visit(log, key + 1);
    visit(log, key + 2);
}

__global__ void twoCallSites(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    if (t % 2) {
        twoVisits(log, 1, t < 9);
        DISTINCT();
    } else {
        twoVisits(log, 4, t < 9);
        DISTINCT();
    }
    visit(log, 0);
    (void)scale;
}
LOG_KERNEL(twoCallSites)

__global__ void callFromLoop(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    for (int i = 0; i < trips_outer(t) * scale; i++)
        twoVisits(log, 1 + 3 * i, (t + i) % 3 == 0);
    visit(log, 0);
}
LOG_KERNEL(callFromLoop)

/* Stores, and says whether the lane goes on. */
__device__ __noinline__ static int visitAndTest(int *log, int key, int answer)
{
    visit(log, key);
    return answer;
}

__global__ void callInCondition(int *log, int scale)
{
    int t = threadIdx.x % 32, i = 0;
    log = warpLog(log);
    while (visitAndTest(log, 1 + 3 * i, i < trips_outer(t) * scale)) {
        if (visitAndTest(log, 2 + 3 * i, t % 2) && visitAndTest(log, 3 + 3 * i, t % 3))
            visit(log, 4000 + i);
        i++;
    }
    visit(log, 0);
}
LOG_KERNEL(callInCondition)

__device__ __noinline__ static void descend(int *log, int depth, int bottom)
{
    visit(log, 2 * depth);
    if (depth < bottom)
        descend(log, depth + 1, bottom);
    visit(log, 2 * depth + 1);
}

__global__ void recursion(int *log, int scale)
{
    int t = threadIdx.x % 32;
    descend(warpLog(log), 0, t % 5 * scale);
}
LOG_KERNEL(recursion)

/* A binary tree: lanes part for the left and the right branch. */
__device__ __noinline__ static void walkTree(int *log, int node, int t)
{
    visit(log, 2 * node);
    if (2 * node < (t % 3 == 0 ? 4 : 16)) {
        walkTree(log, 2 * node, t);
        if ((t + node) % 4)
            walkTree(log, 2 * node + 1, t);
    }
    visit(log, 2 * node + 1);
}

__global__ void twoRecursions(int *log, int scale)
{
    walkTree(warpLog(log), 1, threadIdx.x % 32);
    (void)scale;
}
LOG_KERNEL(twoRecursions)

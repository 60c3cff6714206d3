/* runtime_kernels_divergence.c - kernels for the tests of the tracer: lanes that part and meet
 * again. test_tracer_divergence.c has a model of each kernel.
 */
#include "runtime_kernels.h"

#include "runtime_log.h"

__global__ void ifElse(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    if (t % 3 == 0)
        visit(log, 0);
    else
        visit(log, 1);
    visit(log, 2);
    (void)scale;
}
LOG_KERNEL(ifElse)

__global__ void nestedIf(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    if (t < 20) {
        visit(log, 0);
        if (t % 2) {
            visit(log, 1);
            if (t > 4)
                visit(log, 2);
        } else {
            visit(log, 3);
        }
        visit(log, 4);
    } else if (t < 25) {
        visit(log, 5);
    }
    visit(log, 6);
    (void)scale;
}
LOG_KERNEL(nestedIf)

__global__ void nestedLoops(int *log, int scale)
{
    int t = threadIdx.x % 32, outer = trips_outer(t);
    log = warpLog(log);
    for (int i = 0; i < outer; i++) {
        int inner = trips_inner(t, i) * scale;
        visit(log, 1 + i * 1000);
        for (int j = 0; j < inner; j++)
            visit(log, 2 + i * 1000 + j);
    }
    visit(log, 0);
}
LOG_KERNEL(nestedLoops)

/* No access but the innermost. */
__global__ void bareNestedLoops(int *log, int scale)
{
    int t = threadIdx.x % 32, outer = trips_outer(t);
    log = warpLog(log);
    for (int i = 0; i < outer; i++) {
        int inner = trips_inner(t, i) * scale;
        for (int j = 0; j < inner; j++)
            visit(log, i * 1000 + j);
    }
}
LOG_KERNEL(bareNestedLoops)

__global__ void earlyReturn(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    if (t < 8)
        return;
    visit(log, 0);
    if (t > 20) {
        visit(log, 1);
        return;
    }
    visit(log, 2);
    (void)scale;
}
LOG_KERNEL(earlyReturn)

__global__ void breakContinue(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    for (int i = 0; i < 8 * scale; i++) {
        if ((t + i) % 4 == 0)
            continue;
        if (i > t % 7 * scale)
            break;
        visit(log, 1 + i);
    }
    visit(log, 0);
}
LOG_KERNEL(breakContinue)

__global__ void quietIterations(int *log, int scale)
{
    int t = threadIdx.x % 32, n = trips_outer(t) * 4 * scale;
    log = warpLog(log);
    for (int i = 0; i < n; i++)
        if (!is_quiet(t, i))
            visit(log, i);
}
LOG_KERNEL(quietIterations)

__global__ void switchCases(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    for (int i = 0; i < 3 * scale; i++) {
        switch ((t + i) % 6) {
        case 0:
            visit(log, 1 + 10 * i);
            break;
        case 1:
            visit(log, 2 + 10 * i);
            /* fall through */
        case 2:
            visit(log, 3 + 10 * i);
            break;
        case 3:
            if (i == 2)
                return;
            break;
        default:
            visit(log, 4 + 10 * i);
        }
        visit(log, 5 + 10 * i);
    }
    visit(log, 0);
}
LOG_KERNEL(switchCases)

__global__ void doWhile(int *log, int scale)
{
    int t = threadIdx.x % 32, i = 0;
    log = warpLog(log);
    do {
        visit(log, 1 + i);
    } while (++i < trips_outer(t) * scale);
    visit(log, 0);
}
LOG_KERNEL(doWhile)

__global__ void collatz(int *log, int scale)
{
    int t = threadIdx.x % 32, n = 1 + t * scale, step = 0;
    log = warpLog(log);
    while (n != 1) {
        if (n % 2) {
            visit(log, 1 + 3 * step);
            n = 3 * n + 1;
        } else {
            visit(log, 2 + 3 * step);
            n /= 2;
        }
        visit(log, 3 + 3 * step);
        step++;
    }
    visit(log, 0);
}
LOG_KERNEL(collatz)

__global__ void returnFromLoops(int *log, int scale)
{
    int t = threadIdx.x % 32;
    log = warpLog(log);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5 * scale; j++) {
            visit(log, 3 + i * 1000 + j);
            if (t % 8 == i && j == t % 5) {
                visit(log, 2 + i * 1000);
                return;
            }
        }
        visit(log, 1 + i * 1000);
    }
    visit(log, 0);
}
LOG_KERNEL(returnFromLoops)

/* a[t] >= 0 in lanes below 24, b[t] >= 0 in even lanes, c[t] >= 0 in lanes that are multiples of 3.
 */
__global__ void shortCircuit(int *out, const int *a, const int *b, const int *c)
{
    int t = threadIdx.x;
    if ((a[t] >= 0 && b[t] >= 0) || c[t] >= 0)
        out[t] = 1;
}
KERNEL_LAUNCHER(shortCircuit, int *, const int *, const int *, const int *)

void run_shortCircuit(const struct runtime_args *args)
{
    int *out, *a, *b, *c, host[3][32];
    for (int t = 0; t < 32; t++) {
        host[0][t] = t < 24 ? 0 : -1;
        host[1][t] = t % 2 == 0 ? 0 : -1;
        host[2][t] = t % 3 == 0 ? 0 : -1;
    }
    cudaMalloc(&out, sizeof host[0]);
    cudaMalloc(&a, sizeof host[0]);
    cudaMalloc(&b, sizeof host[0]);
    cudaMalloc(&c, sizeof host[0]);
    cudaMemcpy(a, host[0], sizeof host[0], cudaMemcpyHostToDevice);
    cudaMemcpy(b, host[1], sizeof host[0], cudaMemcpyHostToDevice);
    cudaMemcpy(c, host[2], sizeof host[0], cudaMemcpyHostToDevice);
    launch_shortCircuit(host_grid(args), host_block(args), 0, out, a, b, c);
}

__global__ void selectArray(int *out, const int *a, const int *b)
{
    int t = threadIdx.x;
    out[t] = t % 5 == 0 ? a[t] : b[t] + 1;
}
KERNEL_LAUNCHER(selectArray, int *, const int *, const int *)
HOST_GATHER(selectArray)

/* Goes round in a block of 1024 elements, so that many accesses need little memory. */
__global__ void longLanes(int *out, int n)
{
    int t = threadIdx.x, trips = n * (t + 1) / 32;
    for (int k = 0; k < trips; k++)
        out[k % 1024 * 32 + t] = k;
}
KERNEL_LAUNCHER(longLanes, int *, int)

void run_longLanes(const struct runtime_args *args)
{
    int *out;
    cudaMalloc(&out, 1024 * 32 * sizeof(int));
    launch_longLanes(host_grid(args), host_block(args), 0, out, args->n);
}

/* Lanes that take the short way jump back long before any lane comes to the end of the loop. */
__global__ void lateLoopEnd(int *log, int n)
{
    int t = threadIdx.x % 32, i = 0;
    log = warpLog(log);
    for (;;) {
        visit(log, i);
        if (i++ == 6)
            break;
        if ((i + t) % 3) {
            visit(log, 10 + i);
            continue;
        }
        for (int j = 0; j < n; j++)
            visit(log, i * 1000 + j);
    }
}
LOG_KERNEL(lateLoopEnd)

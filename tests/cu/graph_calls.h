// graph_calls.h - what programs with graphs see of them: a kernel that multiplies, host functions in their order, a value.
#ifndef GRAPH_CALLS_H
#define GRAPH_CALLS_H
#include <vector>

#include "check.h"

enum { N = 64 };

__global__ void scale(float *x, float by)
{
    x[threadIdx.x] *= by;
}

static std::vector<int> calls;
static void note(void *data)
{
    calls.push_back(*(int *)data);
}

static float at(const float *device, int i)
{
    float value;
    CHECK_CALL(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

#endif

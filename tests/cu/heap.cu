// heap.cu - malloc, free, new and delete in kernels: does each thread get memory of its own, as long as there is some, and is
// it there in the next launch?
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "check.h"

struct node {
    int value;
    node *next;
};
struct counted {
    int *count, value;
    __device__ counted(int *c = nullptr) : count(c), value(7) {}
    __device__ ~counted()
    {
        if (count)
            atomicAdd(count, 1);
    }
};

__global__ void build(node **lists)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    node *list = nullptr;
    for (int i = 0; i < 4; i++) {
        node *n = (node *)malloc(sizeof(node));
        n->value = 10 * t + i;
        n->next = list;
        list = n;
    }
    lists[t] = list;
}

__global__ void take_down(node **lists, int *sums)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    sums[t] = 0;
    for (node *n = lists[t], *next; n; n = next) {
        next = n->next;
        sums[t] += n->value;
        free(n);
    }
    free(nullptr);
}

// As much as there is, in pieces of 1 KB: all of them apart, and then again as many.
__global__ void exhaust(int *first, int *second, int *aligned)
{
    void *last = nullptr;
    int n = 0;
    *aligned = 1;
    while (void **p = (void **)malloc(1024)) {
        *aligned &= (uintptr_t)p % 16 == 0;
        *p = last;
        last = p;
        n++;
    }
    *first = n;
    while (last) {
        void *next = *(void **)last;
        free(last);
        last = next;
    }
    for (n = 0; void **p = (void **)malloc(1024); n++) {
        *p = last;
        last = p;
    }
    *second = n;
    while (last) {
        void *next = *(void **)last;
        free(last);
        last = next;
    }
}

__global__ void objects(int *destroyed, int *sum)
{
    counted *one = new counted(destroyed);
    counted *many = new counted[3];
    int *numbers = new int[8];
    char place[sizeof(counted)];
    counted *here = new (place) counted;
    for (int i = 0; i < 8; i++)
        numbers[i] = i;
    for (counted *p = many; p < many + 3; p++)
        p->count = destroyed;
    atomicAdd(sum, one->value + many[2].value + here->value + numbers[7]);
    delete one;
    delete[] many;
    delete[] numbers;
}

int main()
{
    node **lists;
    int *sums, host[64], *numbers;
    size_t limit = 0;
    CHECK_CALL(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    CHECK_THAT(limit == 8 << 20);
    CHECK_CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    CHECK_CALL(cudaMalloc(&lists, 64 * sizeof *lists));
    CHECK_CALL(cudaMalloc(&sums, sizeof host));
    CHECK_CALL(cudaMalloc(&numbers, 5 * sizeof *numbers));
    CHECK_CALL(cudaMemset(numbers, 0, 5 * sizeof *numbers));
    build<<<2, 32>>>(lists);
    take_down<<<2, 32>>>(lists, sums);
    CHECK_CALL(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++)
        CHECK_THAT(host[t] == 4 * 10 * t + 6);

    exhaust<<<1, 1>>>(numbers, numbers + 1, numbers + 2);
    objects<<<1, 32>>>(numbers + 3, numbers + 4);
    CHECK_CALL(cudaMemcpy(host, numbers, 5 * sizeof *numbers, cudaMemcpyDeviceToHost));
    // A piece has at most a few hundred bytes besides its own.
    CHECK_THAT(host[0] > 600 && host[0] <= 1024 && host[1] == host[0] && host[2] == 1);
    CHECK_THAT(host[3] == 4 * 32 && host[4] == 28 * 32);

    // The host's own are the libraries'.
    std::vector<int> v(1000, 3);
    int *p = (int *)malloc(40), *q = new int[10];
    p[9] = q[9] = v[999];
    CHECK_THAT(p[9] == 3 && q[9] == 3);
    free(p);
    delete[] q;
    printf("PASSED\n");
}

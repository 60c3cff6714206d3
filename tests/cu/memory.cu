// memory.cu - allocations and copies of every kind.
#include <cstring>
#include <vector>

#include "check.h"

__global__ void double_rows(float *data, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float *row = (float *)((char *)data + y * pitch);
        row[x] *= 2;
    }
}

__global__ void add_one(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i]++;
}

__global__ void fill_volume(cudaPitchedPtr volume, cudaExtent extent)
{
    char *slice = (char *)volume.ptr + threadIdx.z * volume.pitch * extent.height;
    ((int *)(slice + threadIdx.y * volume.pitch))[threadIdx.x] =
        threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
}

static void pitched()
{
    const int width = 50, height = 20;
    std::vector<float> host(width * height);
    for (int i = 0; i < width * height; i++)
        host[i] = (float)i;
    float *device;
    size_t pitch;
    CHECK_CALL(cudaMallocPitch((void **)&device, &pitch, width * sizeof(float), height));
    CHECK_THAT(pitch == 512);
    CHECK_CALL(cudaMemcpy2D(device, pitch, host.data(), width * sizeof(float), width * sizeof(float),
                            height, cudaMemcpyHostToDevice));
    double_rows<<<dim3(4, 3), dim3(16, 8)>>>(device, pitch, width, height);
    CHECK_CALL(cudaMemcpy2D(host.data(), width * sizeof(float), device, pitch,
                            width * sizeof(float), height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; i++)
        CHECK_THAT(host[i] == 2.0f * i);
    CHECK_CALL(cudaMemset2D(device, pitch, 0, 4, height));
    CHECK_CALL(cudaMemcpy2D(host.data(), width * sizeof(float), device, pitch,
                            width * sizeof(float), height, cudaMemcpyDeviceToHost));
    CHECK_THAT(host[width] == 0 && host[width + 1] == 2.0f * (width + 1));
    CHECK_CALL(cudaFree(device));
}

static void volumes()
{
    int host[3][2][4];
    cudaPitchedPtr volume;
    cudaExtent extent = make_cudaExtent(4 * sizeof(int), 2, 3);
    CHECK_CALL(cudaMalloc3D(&volume, extent));
    fill_volume<<<1, dim3(4, 2, 3)>>>(volume, extent);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = volume;
    copy.dstPtr = make_cudaPitchedPtr(host, 4 * sizeof(int), 4, 2);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK_CALL(cudaMemcpy3D(&copy));
    CHECK_THAT(host[2][1][3] == 213 && host[0][1][0] == 10);
    CHECK_CALL(cudaFree(volume.ptr));
}

static void host_memory()
{
    int *pinned, *mapped, *registered = (int *)malloc(64 * sizeof(int));
    CHECK_CALL(cudaMallocHost((void **)&pinned, 64 * sizeof(int)));
    CHECK_CALL(cudaHostAlloc(&mapped, 64 * sizeof(int), cudaHostAllocMapped));
    CHECK_CALL(cudaHostRegister(registered, 64 * sizeof(int), cudaHostRegisterMapped));
    for (int i = 0; i < 64; i++)
        pinned[i] = mapped[i] = registered[i] = i;
    int *lists[2] = {mapped, registered};
    for (int *list : lists) {
        int *device;
        CHECK_CALL(cudaHostGetDevicePointer((void **)&device, list, 0));
        add_one<<<2, 32>>>(device, 64);
        CHECK_CALL(cudaDeviceSynchronize());
        for (int i = 0; i < 64; i++)
            CHECK_THAT(list[i] == i + 1);
    }
    int *device;
    CHECK_CALL(cudaMallocAsync(&device, 64 * sizeof(int), 0));
    CHECK_CALL(cudaMemcpyAsync(device, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice));
    add_one<<<2, 32>>>(device, 64);
    CHECK_CALL(cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, 0));
    CHECK_THAT(pinned[63] == 64);
    CHECK_CALL(cudaFreeAsync(device, 0));
    CHECK_CALL(cudaHostUnregister(registered));
    CHECK_CALL(cudaFreeHost(pinned));
    CHECK_CALL(cudaFreeHost(mapped));
    free(registered);
}

// Linked through pointers that both sides follow.
struct node {
    int value;
    node *next;
};
__global__ void sum_list(const node *list, int *sum)
{
    *sum = 0;
    for (; list; list = list->next)
        *sum += list->value;
}

static void managed()
{
    node *list = NULL, *made;
    int *sum;
    CHECK_CALL(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 1; i <= 5; i++) {
        CHECK_CALL(cudaMallocManaged(&made, sizeof *made));
        made->value = i;
        made->next = list;
        list = made;
    }
    sum_list<<<1, 1>>>(list, sum);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_THAT(*sum == 15);
    cudaPointerAttributes attributes;
    CHECK_CALL(cudaPointerGetAttributes(&attributes, sum));
    CHECK_THAT(attributes.type == cudaMemoryTypeManaged);
}

int main()
{
    size_t before, after, total;
    char *block;
    CHECK_CALL(cudaMemGetInfo(&before, &total));
    CHECK_CALL(cudaMalloc(&block, 1 << 20));
    CHECK_CALL(cudaMemset(block, 7, 1 << 20));
    CHECK_CALL(cudaMemGetInfo(&after, &total));
    CHECK_THAT(before - after >= 1 << 20 && before <= total);
    CHECK_CALL(cudaFree(block));
    CHECK_CALL(cudaFree(NULL));
    pitched();
    volumes();
    host_memory();
    managed();
    printf("PASSED\n");
}

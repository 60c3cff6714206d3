// Launches in a loop, each case with one thing that lets a launch repeat the one before it, or forbids it. Prints what the
// program can see of each launch.
#include <cstdio>
#include <cstdlib>
#include <curand_kernel.h>

enum { N = 2048, LAUNCHES = 5 }; // arrays of two granules of 4 KB each

__device__ int factor = 3;
__constant__ int addend = 4;

__global__ void pure(const int *in, int *out, int by) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i] * by; }
__global__ void fill(int *out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void count(int *out) { atomicAdd(out, 2); }
__global__ void in_place(int *p) { p[threadIdx.x] = p[threadIdx.x] * 2 + 1; }
__global__ void prints(const int *in) { if (threadIdx.x == 0) printf("kernel %d\n", in[0]); }
__global__ void times(long long *out) { out[threadIdx.x] = clock64() < 0; }
__global__ void by_variable(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] * factor; }
__global__ void by_constant(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] + addend; }
__global__ void by_random(curandState *state, unsigned *out) { out[threadIdx.x] = curand(&state[threadIdx.x]); }
__global__ void seeds(curandState *state) { curand_init(1, threadIdx.x, 0, &state[threadIdx.x]); }
__global__ void nests(const int *in, int *out) { if (threadIdx.x == 0) pure<<<1, 32>>>(in, out, 7); }
__global__ void halves(int *p) { p[1024 + threadIdx.x] = p[threadIdx.x]; } // other granules of one array
__global__ void writes_variable(int by) { factor = by; }
struct pair { int a, b; };
__global__ void by_struct(const int *in, int *out, pair p) { out[threadIdx.x] = in[threadIdx.x] * p.a + p.b; }
template <class F> __global__ void by_functor(const int *in, int *out, F f) { out[threadIdx.x] = f(in[threadIdx.x]); }
template <int BY> __global__ void by_number(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] * BY; }
struct adds { int n; __device__ int operator()(int x) const { return x + n; } };

__global__ void fetches(cudaTextureObject_t texture, int *out) { out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x); }

static int host[N], given[N];

static cudaTextureObject_t texture_over(int *in)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc sampler = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof host;
    cudaCreateTextureObject(&texture, &resource, &sampler, NULL);
    return texture;
}

static void show(const int *device)
{
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < N; i++)
        sum += (long long)host[i] * (i + 1);
    printf("%lld\n", sum);
}

int main(int argc, char **argv)
{
    const int which = atoi(argv[1]);
    int *in, *out, *managed, *pinned;
    long long *ticks;
    curandState *states;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&ticks, 32 * sizeof *ticks);
    cudaMalloc(&states, 32 * sizeof *states);
    cudaMallocManaged(&managed, sizeof host);
    cudaHostAlloc(&pinned, sizeof host, cudaHostAllocMapped);
    for (int i = 0; i < N; i++)
        host[i] = given[i] = managed[i] = pinned[i] = i;
    if (which != 19)
        cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    const cudaTextureObject_t texture = texture_over(in);
    const int two = 2;
    const size_t three = 3;
    for (int i = 0; i < LAUNCHES; i++) {
        switch (which) {
        case 0: pure<<<64, 32>>>(in, out, 2); break;
        case 1: count<<<1, 32>>>(out); break;
        case 2: in_place<<<1, 32>>>(in); cudaMemcpy(out, in, 128, cudaMemcpyDeviceToDevice); break;
        case 3: cudaMemcpy(in, &i, sizeof i, cudaMemcpyHostToDevice); pure<<<64, 32>>>(in, out, 2); break;
        case 4: cudaMemset(in, i, 4 * N); pure<<<64, 32>>>(in, out, 2); break;
        case 5: fill<<<64, 32>>>(in, i); pure<<<64, 32>>>(in, out, 2); break;
        case 6: fill<<<64, 32>>>(out, 1); pure<<<64, 32>>>(in, out, 2); break;
        case 7: pure<<<64, 32>>>(in, out, i); break;
        case 8: prints<<<1, 32>>>(in); break;
        case 9: pure<<<64, 32>>>(managed, out, 2); break;
        case 10: times<<<1, 32>>>(ticks); break;
        case 11: cudaMemcpyToSymbol(factor, &i, sizeof i); by_variable<<<1, 32>>>(in, out); break;
        case 12: cudaMemcpyToSymbol(addend, &i, sizeof i); by_constant<<<1, 32>>>(in, out); break;
        case 13: if (i == 0) seeds<<<1, 32>>>(states); by_random<<<1, 32>>>(states, (unsigned *)out); break;
        case 14: nests<<<1, 32>>>(in, out); break;
        case 15: pure<<<64, 32>>>(pinned, out, 2); break;
        case 16: halves<<<1, 32>>>(in); break;
        case 17: writes_variable<<<1, 1>>>(i); by_variable<<<1, 32>>>(in, out); break;
        case 18: by_struct<<<1, 32>>>(in, out, pair{2, i / 3}); break;
        case 19: pure<<<64, 32>>>(in, out, 2); break; // never written: faults
        case 20: by_functor<<<1, 32>>>(in, out, adds{i / 3}); break;
        case 21: pure<<<64, 32>>>(in, out, 2); pure<<<32, 64>>>(in, out, 2); break; // the same data, other shapes
        case 22: cudaMemset(out, i, 4 * N); pure<<<64, 32>>>(in, out, 2); break;
        case 23: if (i == 4) cudaFree(in); pure<<<64, 32>>>(in, out, 2); break;
        case 24: pure<<<64, 32, 128 * (i / 3)>>>(in, out, 2); break;
        case 25: cudaMemcpy(out, given, sizeof given, cudaMemcpyHostToDevice); in_place<<<1, 32>>>(out); break;
        case 26: cudaMemset(out, 0, 4 * N); count<<<1, 32>>>(out); break;
        case 27: pure<<<64, 32>>>(in, out, 2); in_place<<<1, 32>>>(out); break;
        case 28: fetches<<<1, 32>>>(texture, out); break;
        case 29: if (i == 4) cudaDestroyTextureObject(texture); fetches<<<1, 32>>>(texture, out); break;
        case 30: cudaMemcpy(out, given, sizeof given, cudaMemcpyHostToDevice); cudaMemset(out, i / 4, 4); in_place<<<1, 32>>>(out); break;
        case 31: by_number<two><<<1, 32>>>(in, out); show(out); by_number<three><<<1, 32>>>(in, out); break;
        }
        if (which != 23 || i < 4)
            show(out);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}

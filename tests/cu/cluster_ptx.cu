// Clusters in PTX: special registers, mapa, shared::cluster accesses, the cluster's barrier in two halves, barriers of other blocks, st.async,
// red.async, copies to peers and multicast loads, of rows and of boxes. Prints PASSED, on a GPU as well.
#include <cuda.h>
#include <cstdint>
#include <cstdio>

constexpr int CLUSTER = 4, THREADS = 64, WORDS = 256;

__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
__device__ unsigned rank()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}
__device__ unsigned mapped(unsigned address, unsigned to)
{
    unsigned d;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(address), "r"(to));
    return d;
}
__device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ void barrier_init(uint64_t *barrier, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void barrier_wait(uint64_t *barrier, unsigned parity)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

// Where am I? out[block] = ctarank, nctarank, ctaid.x, ctaid.y, clusterid.x, nclusterid.x, packed.
__global__ void __cluster_dims__(2, 2, 1) registers(unsigned *out)
{
    unsigned r, n, x, y, id, idy, nid;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(idy));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(nid));
    out[blockIdx.x + gridDim.x * blockIdx.y] = r | n << 4 | x << 8 | y << 12 | id << 16 | idy << 20 | nid << 24;
}

// Each block hands a word to the next: by st.shared::cluster, by ld of a generic mapped address, by atom.
__global__ void __cluster_dims__(CLUSTER, 1, 1) ring(unsigned *out)
{
    __shared__ unsigned box[THREADS], sum;
    const unsigned t = threadIdx.x, own = rank(), next = (own + 1) % CLUSTER;
    unsigned got, old;
    if (t == 0)
        sum = 0;
    box[t] = 0;
    cluster_sync();
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapped(shared_address(&box[t]), next)), "r"(1000 * own + t)
                 : "memory");
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(mapped(shared_address(&sum), next)), "r"(t) : "memory");
    cluster_sync();
    uint64_t far;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(far) : "l"(&box[t]), "r"(next));
    asm volatile("ld.u32 %0, [%1];" : "=r"(got) : "l"(far) : "memory");
    unsigned where;
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(where) : "r"(mapped(shared_address(box), next)));
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], 0;" : "=r"(old) : "r"(mapped(shared_address(&sum), next))
                 : "memory");
    out[blockIdx.x * THREADS + t] = got + 100000 * where + (old == THREADS * (THREADS - 1) / 2 ? 0 : 1u << 30);
    cluster_sync();
}

// Words and reductions that nobody waits for but at the target's barrier, and arrivals from all blocks at block 0's.
__global__ void __cluster_dims__(CLUSTER, 1, 1) asynchronous(unsigned *out)
{
    __shared__ alignas(16) uint4 words[THREADS];
    __shared__ unsigned total;
    __shared__ uint64_t full, all;
    const unsigned t = threadIdx.x, own = rank(), next = (own + 1) % CLUSTER;
    if (t == 0) {
        total = 0;
        barrier_init(&full, 1);
        barrier_init(&all, CLUSTER * THREADS);
        barrier_expect(&full, THREADS * (16 + 4));
    }
    cluster_sync();
    const unsigned target = mapped(shared_address(&words[t]), next), bar = mapped(shared_address(&full), next);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(target),
                 "r"(own), "r"(t), "r"(own + t), "r"(7u), "r"(bar)
                 : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                     mapped(shared_address(&total), next)),
                 "r"(t), "r"(bar)
                 : "memory");
    barrier_wait(&full, 0);
    const uint4 w = words[t];
    const unsigned before = (own + CLUSTER - 1) % CLUSTER;
    const bool good = w.x == before && w.y == t && w.z == before + t && w.w == 7 && total == THREADS * (THREADS - 1) / 2;
    out[blockIdx.x * THREADS + t] = good;
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(shared_address(&all), 0)) : "memory");
    if (own == 0)
        barrier_wait(&all, 0);
    cluster_sync();
}

// Block 0 loads a row for all blocks at once; then each copies its half to the next block.
__global__ void __cluster_dims__(CLUSTER, 1, 1) bulk(unsigned *out, const unsigned *in)
{
    __shared__ alignas(128) unsigned tile[WORDS], given[WORDS];
    __shared__ uint64_t loaded, copied;
    const unsigned t = threadIdx.x, own = rank(), next = (own + 1) % CLUSTER;
    if (t == 0) {
        barrier_init(&loaded, 1);
        barrier_init(&copied, 1);
        barrier_expect(&loaded, sizeof tile);
        barrier_expect(&copied, sizeof tile);
    }
    cluster_sync();
    if (own == 0 && t == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                         shared_address(tile)),
                     "l"(in + blockIdx.x / CLUSTER * WORDS), "r"((unsigned)sizeof tile), "r"(shared_address(&loaded)),
                     "h"((uint16_t)((1 << CLUSTER) - 1))
                     : "memory");
    barrier_wait(&loaded, 0);
    for (unsigned i = t; i < WORDS; i += THREADS)
        tile[i] += own;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         mapped(shared_address(given), next)),
                     "r"(shared_address(tile)), "r"((unsigned)sizeof tile), "r"(mapped(shared_address(&copied), next))
                     : "memory");
    barrier_wait(&copied, 0);
    for (unsigned i = t; i < WORDS; i += THREADS)
        out[blockIdx.x * WORDS + i] = given[i];
    cluster_sync();
}

static bool told(const char *name, bool good)
{
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %s\n", name, error != cudaSuccess ? cudaGetErrorName(error) : good ? "right" : "wrong");
    return good && error == cudaSuccess;
}

int main()
{
    constexpr int BLOCKS = 8;
    static unsigned got[BLOCKS * WORDS], host[BLOCKS * WORDS];
    unsigned *out, *in;
    bool good = true, all = true;
    for (int i = 0; i < BLOCKS * WORDS; i++)
        host[i] = 3 * i + 1;
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);

    registers<<<dim3(4, 4), 1>>>(out);
    cudaMemcpy(got, out, 16 * sizeof *out, cudaMemcpyDeviceToHost);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++)
            good &= got[x + 4 * y] ==
                    ((x % 2 + 2 * (y % 2)) | 4u << 4 | (x % 2) << 8 | (y % 2) << 12 | (x / 2) << 16 | (y / 2) << 20 | 2u << 24);
    all &= told("registers", good);

    ring<<<BLOCKS, THREADS>>>(out);
    cudaMemcpy(got, out, BLOCKS * THREADS * sizeof *out, cudaMemcpyDeviceToHost);
    good = true;
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned t = 0; t < THREADS; t++)
            good &= got[b * THREADS + t] == 1000 * (b % CLUSTER) + t + 100000 * ((b + 1) % CLUSTER);
    all &= told("ring", good);

    asynchronous<<<BLOCKS, THREADS>>>(out);
    cudaMemcpy(got, out, BLOCKS * THREADS * sizeof *out, cudaMemcpyDeviceToHost);
    good = true;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        good &= got[i] == 1;
    all &= told("st.async, red.async, arrivals", good);

    bulk<<<BLOCKS, THREADS>>>(out, in);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    good = true;
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned i = 0; i < WORDS; i++)
            good &= got[b * WORDS + i] == host[b / CLUSTER * WORDS + i] + (b + CLUSTER - 1) % CLUSTER;
    all &= told("bulk copies", good);
    printf(all ? "PASSED\n" : "FAILED\n");
    return all ? 0 : 1;
}

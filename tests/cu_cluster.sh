#!/bin/sh
# cu_cluster.sh WARPLENS HISTOGRAM PTX CALLS TILES - do programs with thread block clusters get right results, are they traced as what they are, and
# is what they do wrong said: on GPUs that have none, of impossible sizes, in the memory of blocks that are not there, at barriers for ever?
set -u
warplens=$(realpath "$1") histogram=$(realpath "$2") ptx=$(realpath "$3") calls=$(realpath "$4") tiles=$(realpath "$5")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# expect WHAT WANTED GOT
expect() {
    [ "$2" = "$3" ] || { echo "FAILED: $1: '$3', not '$2'"; failed=1; }
}

# counter NAME: of the last report.
counter() {
    grep "^[^,]*,[^,]*,[^,]*,kernel,,$1," report.csv | sed 's/.*,//'
}

for program in "$histogram" "$ptx" "$calls" "$tiles"; do
    "$warplens" run "$program" --gpu h200 --format csv >out 2>err || { cat err; failed=1; }
    expect "results of $program" 1 "$(cat out err | grep -c -e '^OK$' -e '^PASSED$')"
    "$warplens" check "$program" --gpu h200 >out 2>err || { cat out; failed=1; }
    grep -q 'nothing found' out || { echo "FAILED: findings"; cat out; failed=1; }
done

# Eight blocks of two warps: each warp stores, adds, loads and adds again in the next block's memory, 8 sectors in 2 lines, or all lanes one word.
"$warplens" run "$ptx" --gpu h200 -k ring --format csv 2>err | grep ',kernel,,' >report.csv
expect "accesses of other blocks" 64 "$(counter cluster_requests)"
expect "sectors of other blocks" $((16 * (4 + 1 + 4 + 1))) "$(counter cluster_sectors)"
expect "sectors sent" $((16 * (4 + 2 + 4 + 2))) "$(counter cluster_sent_sectors)"
expect "bytes" $((16 * 4 * 128)) "$(counter cluster_bytes_requested)"
# Words of 16 bytes, 16 whole sectors a warp; and 32 lanes on one word, each an entry of its own.
"$warplens" run "$ptx" --gpu h200 -k asynchronous --format csv 2>err | grep ',kernel,,' >report.csv
expect "asynchronous accesses" 32 "$(counter cluster_requests)"
expect "their sectors" $((16 * (16 + 32))) "$(counter cluster_sectors)"
# 1024 bytes, loaded once a cluster, and from each block to the next.
"$warplens" run "$ptx" --gpu h200 -k bulk --format csv 2>err | grep ',kernel,,' >report.csv
expect "multicast loads" 2 "$(counter bulk_loads)"
expect "their sectors, of each block" 256 "$(counter bulk_load_sectors)"
expect "their requests" 16 "$(counter bulk_load_l2_requests)"
expect "copies to peers" 8 "$(counter bulk_peer_copies)"
expect "their sectors" $((8 * 32)) "$(counter bulk_peer_sectors)"
# A tile of b is read once by two blocks.
"$warplens" run "$tiles" --gpu h200 -k multiplyAlone --format csv 2>err | grep ',kernel,,' >report.csv
expect "requests alone" $((64 * 8 * (32 + 32))) "$(counter bulk_load_l2_requests)"
"$warplens" run "$tiles" --gpu h200 -k multiplyPair --format csv 2>err | grep ',kernel,,' >report.csv
expect "requests in pairs" $((64 * 8 * (32 + 16))) "$(counter bulk_load_l2_requests)"
expect "sectors in pairs" $((64 * 8 * (128 + 128))) "$(counter bulk_load_sectors)"

# ---- Traces ------------------------------------------------------------------------------------------

for program in "$histogram" "$ptx"; do
    "$warplens" trace record "$program" -o p.wlt >out 2>err || { cat err; failed=1; }
    "$warplens" trace cat p.wlt >p.wlt.txt
    grep -q 'flags=cluster' p.wlt.txt || { echo "FAILED: no other blocks in a trace"; failed=1; }
    "$warplens" trace convert p.wlt.txt -o again.wlt && "$warplens" trace cat again.wlt | cmp - p.wlt.txt || failed=1
    "$warplens" trace check p.wlt.txt >out || { cat out; failed=1; }
done
"$warplens" run p.wlt --gpu a100 >out 2>err && { echo "FAILED: a trace on an a100"; failed=1; }
grep -q "an access of another block's shared memory (a cluster's): a100 is sm_80, and sm_90 (Hopper) is the first that has them" err ||
    { echo "FAILED: a trace on an a100"; cat err; failed=1; }

# ---- Launches that cannot be ---------------------------------------------------------------------------

cat >launches.cu <<'END'
#include <cooperative_groups.h>
#include <cstdio>
__global__ void __cluster_dims__(4, 1, 1) fours(int *p) { p[blockIdx.x] = cooperative_groups::this_cluster().block_rank(); }
__global__ void plain(int *p) { p[blockIdx.x] = cooperative_groups::this_cluster().num_blocks(); }
__global__ void alone(int *p)
{
    cooperative_groups::cluster_group c = cooperative_groups::this_cluster();
    __shared__ int s;
    s = 7;
    c.sync();
    p[0] = *c.map_shared_rank(&s, 0) + 10 * c.num_blocks() + 100 * c.query_shared_rank(&s);
}
static int *p;
static void say(const char *what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); cudaGetLastError(); }
static cudaError_t launch(unsigned x, unsigned y, unsigned grid)
{
    cudaLaunchAttribute a[2];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = x; a[0].val.clusterDim.y = y; a[0].val.clusterDim.z = 1;
    a[1].id = cudaLaunchAttributePriority;
    a[1].val.priority = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(grid, y); config.blockDim = 32; config.attrs = a; config.numAttrs = 2;
    return cudaLaunchKernelEx(&config, plain, p);
}
int main()
{
    int host[64], most = 0;
    cudaMalloc(&p, sizeof host);
    fours<<<6, 1>>>(p); say("a grid of 6 in fours", cudaGetLastError());
    fours<<<8, 1>>>(p); say("a grid of 8 in fours", cudaGetLastError());
    say("16 blocks", launch(16, 1, 16));
    cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    say("16 blocks, allowed", launch(16, 1, 16));
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("blocks: %d\n", host[15]);
    say("32 blocks", launch(16, 2, 16));
    cudaLaunchConfig_t config = {};
    config.gridDim = 4; config.blockDim = 32;
    void *arguments[] = {&p};
    say("by address", cudaLaunchKernelExC(&config, (void *)plain, arguments));
    auto *const known = &plain;
    say("by a pointer", cudaLaunchKernelExC(&config, (const void *)known, arguments));
    cudaOccupancyMaxPotentialClusterSize(&most, plain, &config);
    printf("most: %d\n", most);
    alone<<<1, 32>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("alone: %d\n", host[0]);
}
END
"$warplens" run launches.cu --gpu h200 --rules-only >out 2>err
cat out err | grep -E '^(a grid|16|32|blocks|by|most|alone)' | sed 's/^alone: /alone: /' >got
cat >wanted <<'END'
a grid of 6 in fours: cudaErrorInvalidClusterSize
a grid of 8 in fours: cudaSuccess
16 blocks: cudaErrorInvalidClusterSize
16 blocks, allowed: cudaSuccess
blocks: 16
32 blocks: cudaErrorInvalidClusterSize
by address: cudaSuccess
by a pointer: cudaSuccess
most: 16
alone: 17
END
diff wanted got || { echo "FAILED: launches"; failed=1; }
grep -q 'fours: a grid of 6 x 1 x 1 blocks is no multiple of its clusters of 4 x 1 x 1' err || { cat err; failed=1; }
"$warplens" run launches.cu --gpu a100 --rules-only >out 2>err
grep -q 'fours: thread block clusters are for GPUs from sm_90 on (Hopper: H100, H200): choose one with --gpu' err ||
    { echo "FAILED: a100"; cat err; failed=1; }

# ---- What kernels do wrong -----------------------------------------------------------------------------

# wrong NAME MESSAGE: a kernel's body on standard input, of two blocks of 32 threads in a cluster.
wrong() {
    { cat <<'HEAD'
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void __cluster_dims__(2) k(int *p)
{
    __shared__ int s[32];
    __shared__ uint64_t b;
    cg::cluster_group c = cg::this_cluster();
    const unsigned rank = c.block_rank(), other = 1 - rank;
    s[threadIdx.x] = 0;
HEAD
        cat
        echo '} int main() { int *p; cudaMalloc(&p, 1024); k<<<2, 32>>>(p); return cudaDeviceSynchronize() != cudaSuccess; }'
    } >wrong.cu
    "$warplens" run wrong.cu --gpu h200 >out 2>err && { echo "FAILED: $1: status"; failed=1; }
    grep -q "wrong.cu:[0-9]*: in k: $2" err || { echo "FAILED: $1"; cat err; failed=1; }
}
wrong "a block that has not started" "access to the shared memory of block 1 of the cluster, which may not have started yet: let all blocks wait at a cluster.sync() before" <<'END'
if (rank == 0) c.map_shared_rank(s, 1)[threadIdx.x] = 1;
c.sync();
END
wrong "a block that has returned" "access to the shared memory of block 0 of the cluster, which has returned from the kernel" <<'END'
c.sync();
if (rank == 0) return;
c.sync();
p[threadIdx.x] = c.map_shared_rank(s, 0)[threadIdx.x];
END
wrong "a block that does not wait" "access to the shared memory of block 0 of the cluster, which returns from the kernel without waiting for it" <<'END'
c.sync();
if (rank == 1) p[threadIdx.x] = *c.map_shared_rank(s, 0);
END
# Arrivals that nobody waits for leave nothing to be read: counted, and the launch goes on.
arrivals() { # NAME MESSAGE: a kernel's body behind the initialisation of b on standard input
    {
        cat <<'HEAD'
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(int *p)
{
    __shared__ uint64_t b;
    cg::cluster_group c = cg::this_cluster();
    const unsigned rank = c.block_rank(), at = (unsigned)__cvta_generic_to_shared(&b);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 5;" ::"r"(at));
    c.sync();
HEAD
        cat
        cat <<'TAIL'
    asm volatile("{ .reg .b32 there;\n mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(at), "r"(to));
    if (rank == 1) p[0] = 7;
}
int main()
{
    int *p, got = 0;
    cudaMalloc(&p, 4);
    cudaLaunchAttribute a[1] = {};
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = 2;
    a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2), config.blockDim = dim3(1), config.attrs = a, config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, k, p) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost);
    printf("got %d\n", got);
    return got != 7;
}
TAIL
    } >arrival.cu
    "$warplens" run arrival.cu --gpu h200 --rules-only >out 2>&1 || { echo "FAILED: $1: status"; failed=1; }
    tr -s '\n ' ' ' <out >line
    grep -q "got 7 .*1 fault: 1 block_returned.* in k: arrival at a barrier of block $2" line ||
        { echo "FAILED: $1"; cat out; failed=1; }
}
arrivals "an arrival that a block does not wait for" \
    "0 of the cluster, which returns from the kernel without waiting for it: undefined in CUDA" <<'END'
if (rank == 0) return;
const unsigned to = 0;
END
arrivals "an arrival at a block that has returned" \
    "1 of the cluster, which has returned from the kernel: undefined in CUDA" <<'END'
const unsigned to = 1;
if (rank == 1) { p[0] = 7; return; }
END
wrong "a rank" "block 2 of a cluster of 2: ranks are 0 to 1" <<'END'
c.sync();
p[0] = *c.map_shared_rank(s, 2);
c.sync();
END
wrong "no shared memory" "a pointer of another block's shared memory (map_shared_rank, mapa) is made of one that is not in shared memory" <<'END'
c.sync();
p[0] = *c.map_shared_rank(p, 1);
c.sync();
END
wrong "beyond an array" "shared-memory access of 4 bytes at s + 128 bytes, outside every array: s has 128 bytes" <<'END'
c.sync();
p[0] = c.map_shared_rank(s, other)[threadIdx.x + 1];
c.sync();
END
wrong "a barrier that not all reach" "a barrier of the cluster at which only 32 of its 64 threads have arrived: it would never end" <<'END'
if (rank == 0) c.sync();
else { if (threadIdx.x == 0) { ptx::mbarrier_init(&b, 1); } __syncthreads(); while (!ptx::mbarrier_try_wait_parity(&b, 0)) ; }
END
wrong "a wait without an arrival" "a wait at the barrier of the cluster at which the thread has not arrived" <<'END'
c.barrier_wait();
END
wrong "two arrivals" "two arrivals of a thread at the barrier of the cluster without a wait between them" <<'END'
c.barrier_arrive();
c.barrier_arrive();
END
wrong "another block's barrier" "a wait at a barrier in another block's shared memory" <<'END'
if (threadIdx.x == 0) ptx::mbarrier_init(&b, 1);
c.sync();
while (!ptx::mbarrier_try_wait_parity(c.map_shared_rank(&b, other), 0)) ;
c.sync();
END
wrong "bytes for one block at the other's barrier" "bytes for block [01] of the cluster whose barrier is block [01]'s: both are of one block" <<'END'
if (threadIdx.x == 0) ptx::mbarrier_init(&b, 1);
c.sync();
ptx::st_async(c.map_shared_rank(s, other), 1, &b);
c.sync();
END
cat >declared.cu <<'END'
__global__ void __cluster_dims__(2) k(int *p);
__global__ void k(int *p) { *p = 1; }
int main() { int *p; cudaMalloc(&p, 4); k<<<2, 1>>>(p); }
END
"$warplens" run declared.cu --gpu h200 >out 2>err && { echo "FAILED: declared: status"; failed=1; }
grep -q 'declared.cu:1: __cluster_dims__ where the kernel is only declared cannot run under warplens: write it where its body is' err ||
    { echo "FAILED: declared"; cat err; failed=1; }
exit $failed

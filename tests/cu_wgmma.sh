#!/bin/sh
# cu_wgmma.sh WARPLENS PATTERNS FOLDER - wgmma: are products of a warpgroup right by every layout of shared memory, place of A, shape and type,
# does a whole kernel of Hopper's kind find its result, and are mistakes and GPUs without it told in one line?
set -u
warplens=$(realpath "$1") patterns=$(realpath "$2") folder=$(realpath "$3")
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

"$warplens" run "$patterns" --gpu h200 --rules-only --format json -- check >out 2>err
grep -q '^PASSED$' err || { echo "FAILED: patterns"; grep ',0$' err | head; tail -n 3 err; failed=1; }
grep -q '^0 of 536 patterns wrong$' err || { echo "FAILED: patterns are missing"; failed=1; }
grep -q '"local_load_requests":[1-9]' out && { echo "FAILED: registers of D are in local memory"; failed=1; }
"$warplens" run "$patterns" --gpu h200 --rules-only -- probe 1 >out 2>err
[ "$(grep -c '^f32_f16_64,.*,0,1$' out)" = 44 ] || { echo "FAILED: matrices that begin within a pattern"; head -n 3 out err; failed=1; }
for program in wgmma_gemm wgmma_forms; do
    "$warplens" run "$folder/$program.cu" --gpu h200 --format json >out 2>err
    grep -q '^PASSED$' err || { echo "FAILED: $program"; tail -n 3 err; failed=1; }
done
"$warplens" check "$folder/wgmma_gemm.cu" >out 2>err || { echo "FAILED: the whole kernel has a race"; tail -n 12 out; failed=1; }

# told WHAT MESSAGE: the kernel's lines are on standard input, behind `d` of D, `s` in shared memory, `at` its address and `good` its descriptor.
mma='wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }'
told() {
    {
        cat <<'HEAD'
#include <cstdint>
__device__ void product(float (&d)[4], uint64_t a, uint64_t b)
{
HEAD
        printf '    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0; %s" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));\n}\n' "$mma"
        cat <<'HEAD'
__global__ void k(float *g)
{
    __shared__ alignas(1024) unsigned char s[8192];
    float d[4] = {};
    for (int i = threadIdx.x; i < UNTIL; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(s);
    const uint64_t good = (uint64_t)(at >> 4) | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
HEAD
        cat
        cat <<'TAIL'
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
    *g = d[0];
}
int main()
{
    float *g;
    cudaMalloc(&g, 4);
    k<<<1, THREADS>>>(g);
    return cudaDeviceSynchronize() != cudaSuccess;
}
TAIL
    } >told.cu
    sed -i "s/THREADS/${THREADS:-128}/; s/UNTIL/${UNTIL:-8192}/" told.cu
    "$warplens" run told.cu --gpu "${GPU:-h200}" --rules-only >out 2>err && [ "${UNTIL:-8192}" = 8192 ] && { echo "FAILED: $1: status"; failed=1; }
    grep -q -F "$2" err out || { echo "FAILED: $1"; cat err; failed=1; }
}
GPU=a100 told "a GPU before Hopper" "told.cu:4: in k: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 needs sm_90a (Hopper), which later generations are not: name such a GPU with --gpu" <<END
product(d, good, good);
END
GPU=b200 told "a GPU behind Hopper" "needs sm_90a (Hopper), which later generations are not" <<END
product(d, good, good);
END
told "outside of its array" "shared-memory access of 16 bytes at s + 8192 bytes, outside every array: s has 8192 bytes" <<END
product(d, good, good + (7168 >> 4) + ((uint64_t)8 << 16) + 64);
END
told "outside of shared memory" "wgmma: by its descriptor B reaches address 0x3fc00, outside of shared memory" <<END
product(d, good, good | 0x3fc0);
END
told "misaligned for the swizzle" "wgmma: the descriptor of A has a swizzle of 64 bytes, and begins at 0x" <<END
product(d, good + (64 >> 4) + ((uint64_t)1 << 62), good);
END
told "a base offset" "wgmma: the descriptor of B has base offset 3, which is not modelled: a matrix that begins at a multiple of 128 bytes needs none" <<END
product(d, good, good | (uint64_t)3 << 49);
END
told "lanes with other descriptors" "wgmma with another descriptor or scale than lane 0 of its warp" <<END
product(d, good, good + (threadIdx.x % 2) * (1024 >> 4));
END
told "some lanes" "wgmma with lanes 0x0000ffff of the warp alone: all 32 have to come to it at once" <<END
if (threadIdx.x % 32 < 16) product(d, good, good);
END
THREADS=96 told "no whole warpgroup" "wgmma in a block of 96 threads, of which this one's warpgroup lacks some: threads 0 to 127 are one" <<END
product(d, good, good);
END
told "some warps" "wgmma.wait_group where other warps of the warpgroup have not come to a wgmma.mma_async that this one has: it would never end" <<END
if (threadIdx.x < 64) product(d, good, good);
END
mma='wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 2, 1, 0, 0; }'
told "a scale" "wgmma whose imm-scale-a, imm-scale-b, imm-trans-a or imm-trans-b is none of those that PTX has" <<END
product(d, good, good);
END
mma='wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }'
UNTIL=100 told "what nobody wrote" "unwritten_shared" <<END
product(d, good, good);
END
no="cannot run under warplens"
mma='wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 0, p, 1, 1, 0, 0; }'
told "sparse" "the PTX instruction 'wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16' $no: a warpgroup's product of a sparse matrix is not modelled" <<END
END
for shape in m64n8k256.s32.b1.b1.and.popc m64n12k16.f32.f16.f16 m64n40k32.s32.s8.s8 m64n8k16.f32.f16.bf16; do
    mma="wgmma.mma_async.sync.aligned.$shape {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"
    told "$shape" "the PTX instruction 'wgmma.mma_async.sync.aligned.$shape' $no: a warpgroup's product of this shape and these types is not modelled" <<END
END
done
mma='wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }'
told "registers of another shape" "$no: the matrix D has another number of registers" <<END
END
exit $failed

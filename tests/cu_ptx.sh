#!/bin/sh
# cu_ptx.sh WARPLENS COMPILER - are accesses of inline PTX traced with their space, width, flags and line, and is PTX that
# cannot run refused by its name, with its line?
set -u
warplens=$(realpath "$1") || exit 1
export WARPLENS_CXX="$2"
command -v "$2" >/dev/null || exit 77
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

cat >accesses.cu <<'END_OF_PROGRAM'
#define LOAD(to, from) asm volatile("ld.global.cg.u16 %0, [%1];" : "=h"(to) : "l"(from))
__constant__ int table[4];
__global__ void k(int *p, const int4 *q, unsigned short *h)
{
    __shared__ int s[32];
    int a, b, c, d;
    unsigned short u;
    unsigned at = (unsigned)__cvta_generic_to_shared(s + threadIdx.x);
    asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(q + threadIdx.x));
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(a) : "memory");
    LOAD(u, h);
    asm volatile(
        "{ .reg .b32 t;\n"
        "ld.volatile.global.b32 t, [%0];\n"
        "st.global.wt.b32 [%0+128], t; }" ::"l"(p + threadIdx.x) : "memory");
    asm volatile("ld.global.b32 %0, [%1]; ld.global.b32 %0, [%1];" : "=r"(b) : "l"(p));
    asm("ld.const.b32 %0, [%1];" : "=r"(c) : "l"(table));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(b + c + u) : "memory");
}
int main()
{
    int *p;
    int4 *q;
    unsigned short *h;
    cudaMalloc(&p, 256), cudaMalloc(&q, 512), cudaMalloc(&h, 2);
    cudaMemset(p, 0, 256), cudaMemset(q, 0, 512), cudaMemset(h, 0, 2);
    k<<<1, 32>>>(p, q, h);
}
END_OF_PROGRAM
"$warplens" trace record accesses.cu -o t.wlt >out 2>err || { cat out err; exit 1; }
"$warplens" trace cat t.wlt >trace

# Each with its line and array, then space, width and flags of its one access; a volatile asm statement's loads are
# neither joined nor left out.
sed -n -e 's/^ *site [0-9]* \(.*\)/\1/p' -e 's/ work=.*//' -e 's/^ *@[0-9]* \(.*\)/    \1/p' trace >sites
cat >expected <<'END_OF_SITES'
ld.global.b128 file=accesses.cu line=9 array=q
    ld.global.nc.b128 base=q
st.shared.b32 file=accesses.cu line=12 array=s
    st.shared.b32 base=0
ld.global.b16 file=accesses.cu line=13 array=h
    ld.global.b16 base=h stride=0
ld.global.b32 file=accesses.cu line=14 array=p
    ld.global.b32 base=p flags=volatile
st.global.b32 file=accesses.cu line=14 array=p
    st.global.b32 base=p+0x80
ld.global.b32 file=accesses.cu line=18 array=p
    ld.global.b32 base=p stride=0
ld.global.b32 file=accesses.cu line=18 array=p
    ld.global.b32 base=p stride=0
ld.const.b32 file=accesses.cu line=19 array=""
    ld.const.b32 base=0 stride=0
atom.global.b32 file=accesses.cu line=20 array=p
    atom.global.b32 base=p stride=0 mask=0x1
END_OF_SITES
# Loads are held until it is known what follows them: sites are told before that.
apart() { grep -v '^ ' "$1" && grep '^ ' "$1"; }
apart expected >expected_apart
apart sites >sites_apart
diff expected_apart sites_apart || { echo "FAILED: $2: the accesses"; failed=1; }

# refused 'PTX' MESSAGE: in line 4.
refused() {
    printf '__global__ void k(unsigned *p) {\n    unsigned a = 1;\n    asm volatile("mov.u32 %%0, 5;\\n"\n        "%s" : "+r"(a) : "r"(3), "l"(p));\n    *p = a;\n}\nint main() {}\n' "$1" >refused.cu
    "$warplens" run refused.cu >out 2>err && { echo "FAILED: $1 is taken"; failed=1; }
    [ "$(cat err)" = "warplens run: refused.cu:4: $2" ] || { echo "FAILED: $1"; cat err; failed=1; }
}
no="cannot run under warplens"
refused 'ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];' \
    "the PTX instruction 'ldmatrix.sync.aligned.m8n8.x4.shared.b16' $no: this form of a load of matrix fragments is not modelled; write it in CUDA C++"
refused 'cp.async.cg.shared.global [%1], [%2], 8;' \
    "the PTX instruction 'cp.async.cg.shared.global' $no: this form of an asynchronous copy is not modelled; write it in CUDA C++"
refused 'cp.async.bulk.shared::cluster.shared::cta.bulk_group [%1], [%1], 16;' \
    "the PTX instruction 'cp.async.bulk.shared::cluster.shared::cta.bulk_group' $no: this form of a bulk copy is not modelled; write it in CUDA C++"
refused 'cp.async.mbarrier.arrive.noinc.shared.b64 [%1];' \
    "the PTX instruction 'cp.async.mbarrier.arrive.noinc.shared.b64' $no: a copy that arrives at a barrier in shared memory is not modelled; write it in CUDA C++"
refused 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0};' \
    "the PTX instruction 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32' $no: a tensor core's product of this shape and these types is not modelled; write it in CUDA C++"
refused 'mbarrier.init.global.b64 [%1], 1;' \
    "the PTX instruction 'mbarrier.init.global.b64' $no: this form of a barrier in shared memory is not modelled; write it in CUDA C++"
refused 'bra L1;' "the PTX instruction 'L1' $no: it is no label of this asm statement"
refused 'L1: mov.u32 %0, 1; L1: mov.u32 %0, 2;' "the PTX instruction 'L1' $no: this asm statement has the label twice: give each another name"
refused 'vadd4.u32.u32.u32 %0, %1, %1, %1;' \
    "the PTX instruction 'vadd4.u32.u32.u32' $no: it is none of those that are known; write it in CUDA C++"
refused 'add.u32 %0, nobody, 1;' "the PTX instruction 'nobody' $no: it is no register that this asm statement has"
refused 'add.u32 %0, %7, 1;' "the PTX instruction '%7' $no: it is no register that this asm statement has"
refused 'bar.red.popc.u32 %0, 1, 1;' \
    "the PTX instruction 'bar.red.popc.u32' $no: it is none of those that are known; write it in CUDA C++"
refused 'add.rz.f32 %0, %1, %1;' \
    "the PTX instruction 'add.rz.f32' $no: it is none of those that are known; write it in CUDA C++"
refused 'add.u32 %0, %1;' \
    "the PTX instruction 'add.u32' $no: it is none of those that are known; write it in CUDA C++"

# What stands in a header, or writes what the statement only reads, is refused by the launch that comes to it.
cat >odd.h <<'END_OF_HEADER'
__device__ inline void odd() { asm volatile("odd.b32;"); }
END_OF_HEADER
cat >later.cu <<'END_OF_PROGRAM'
#include "odd.h"
__global__ void k(int n, int *p)
{
    if (n == 1) odd();
    if (n == 2) asm volatile("add.s32 %0, %0, 1;" ::"r"(n));
    *p = n;
}
int main(int argc, char **)
{
    int *p;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(argc - 1, p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END_OF_PROGRAM
"$warplens" run later.cu >out 2>err || { echo "FAILED: PTX that nothing comes to"; cat err; failed=1; }
"$warplens" run later.cu -- 1 >out 2>err && { echo "FAILED: PTX of a header that is come to"; failed=1; }
grep -q "in k: the PTX instruction 'odd.b32' $no: it is none of those that are known" err || { echo "FAILED: PTX of a header"; cat err; failed=1; }
"$warplens" run later.cu -- 1 2 >out 2>err && { echo "FAILED: an operand that is only read is written"; failed=1; }
grep -q "in k: PTX that writes an operand which its asm statement only reads $no" err || { echo "FAILED: an operand that is only read"; cat err; failed=1; }
exit $failed

#!/bin/sh
# cu_matrix.sh WARPLENS COMPILER FOLDER - ldmatrix, stmatrix, mma.sync and nvcuda::wmma: do the programs find their results right
# as they are compiled for each generation, are the accesses those that an H200 makes, at the program's own lines, and are
# mistakes and GPUs without the instruction told in one line?
set -u
warplens=$(realpath "$1") || exit 1
folder=$(realpath "$3") || exit 1
export WARPLENS_CXX="$2"
command -v "$2" >/dev/null || exit 77
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

for run in matrix_ptx:t4 matrix_ptx:a100 matrix_ptx:h200 wmma:v100 wmma:t4 wmma:a100 wmma:h200; do
    "$warplens" run "$folder/${run%:*}.cu" -I "$folder" --gpu "${run#*:}" --rules-only --format json >out 2>err
    grep -q '^PASSED$' err || { echo "FAILED: $run"; tail -n 3 err; failed=1; }
    case $run in wmma*) grep -q '"local_load_requests":[1-9]' out && echo "FAILED: $run: a fragment is in local memory" && failed=1 ;; esac
done

# Accesses, by line: validation/fragments/README.md, 5.
cat >accesses.cu <<'END_OF_PROGRAM'
#include <mma.h>
using namespace nvcuda;
typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fragment_b;
__global__ void k(half *g, float *c)
{
    __shared__ __align__(32) half s[16 * 16];
    __shared__ __align__(32) float f[16 * 16];
    fragment_a a;
    fragment_b b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    for (int i = threadIdx.x; i < 256; i += 32)
        s[i] = g[i];
    __syncwarp();
    wmma::load_matrix_sync(a, s, 16);
    wmma::load_matrix_sync(b, g, 16);
    wmma::fill_fragment(sum, 0.0f);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(f, sum, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}
int main()
{
    half *g;
    float *c;
    cudaMalloc(&g, 512), cudaMalloc(&c, 1024);
    cudaMemset(g, 0, 512);
    k<<<1, 32>>>(g, c);
    return cudaDeviceSynchronize();
}
END_OF_PROGRAM
cat >expected <<'END_OF_SITES'
ld.shared.b128 line=15 flags=matrix 1
ld.global.b32 line=16 4
st.shared.b64 line=19 4
st.global.b32 line=20 8
END_OF_SITES
"$warplens" trace record accesses.cu -o trace.wlt 2>/dev/null
"$warplens" trace cat trace.wlt |
    awk '/^ *site / { for (i = 1; i <= NF; i++) if ($i ~ /^line=/) line[$2] = $i; next }
         /^ *@/ { site = substr($1, 2); flags = ""; for (i = 3; i <= NF; i++) if ($i ~ /^flags=.*matrix/) flags = " flags=matrix"
                  text = $2 " " line[site] flags; if (!(text in count)) order[++n] = text; count[text]++ }
         END { for (i = 1; i <= n; i++) print order[i], count[order[i]] }' | grep -v 'line=13' >sites
diff expected sites || { echo "FAILED: the accesses of wmma"; failed=1; }
# Every form of traces keeps what is a matrix.
for form in binary text csv; do
    "$warplens" trace convert trace.wlt --format "$form" -o "copy.$form" >/dev/null 2>err || { echo "FAILED: $form"; cat err; failed=1; }
    "$warplens" run "copy.$form" --rules-only --format json >out 2>err
    grep -q '"shared_matrix_load_passes":8' out || { echo "FAILED: $form: passes of ldmatrix"; failed=1; }
done
"$warplens" trace convert trace.wlt --format accelsim -o copy.accelsim >out 2>err && { echo "FAILED: accelsim holds matrices"; failed=1; }
grep -q 'ldmatrix or stmatrix' err || { echo "FAILED: what is said of matrices in accelsim"; cat err; failed=1; }

# tells NAME MESSAGE STATEMENTS: of one warp, `row` is a lane's row of 16 bytes; GPU is an h200 unless it is said.
tells() {
    cat >mistake.cu <<END_OF_PROGRAM
__global__ void k(unsigned *out)
{
    __shared__ __align__(16) unsigned short s[32 * 8];
    unsigned l = threadIdx.x, r[4], row = (unsigned)__cvta_generic_to_shared(s + 8 * l);
    s[l] = 0;
    $3
    out[l] = r[0] + row;
}
int main() { unsigned *p; cudaMalloc(&p, 128); k<<<1, ${THREADS:-32}>>>(p); return cudaDeviceSynchronize() != 0; }
END_OF_PROGRAM
    "$warplens" run mistake.cu --gpu "${GPU:-h200}" --rules-only >out 2>err
    [ -z "$2" ] || grep -q -F "$2" err || { echo "FAILED: $1"; cat err; failed=1; }
}
load='asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row))'
tells misaligned "mistake.cu:6: in k: misaligned access: 16 bytes at an address that is no multiple of 16" "row += 2; $load;"
tells outside "mistake.cu:6: in k: shared-memory access of 16 bytes at s + 512 bytes, outside every array" "row += 16; $load;"
tells missing "mistake.cu:6: in k: ldmatrix with lanes 0x0000ffff of the warp alone: all 32 have to come to it" "if (l < 16) $load;"
THREADS=16 tells 'a short warp' "ldmatrix with lanes 0x0000ffff of the warp alone" "$load;"
GPU=v100 tells ldmatrix "mistake.cu:6: in k: ldmatrix needs sm_75 (Turing) or later: name such a GPU with --gpu" "$load;"
GPU=a100 tells stmatrix "mistake.cu:6: in k: stmatrix needs sm_90 (Hopper) or later: name such a GPU with --gpu" \
    'asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(row), "r"(l)); r[0] = 0;'
GPU=t4 tells mma "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 needs sm_80 (Ampere) or later" \
    'float c[4] = {0}; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(0)); r[0] = c[0];'
"$warplens" run accesses.cu --gpu p100 >out 2>err
grep -q -F 'accesses.cu:15: in k: nvcuda::wmma needs sm_70 (Volta) or later: name such a GPU with --gpu' err || {
    echo "FAILED: wmma before Volta"; cat err; failed=1; }

# What wmma has not, in warplens's own words.
for what in 'wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::u4:of these elements' \
    'wmma::matrix_a, 16, 16, 8, half:of this shape'; do
    printf '#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(int *p) { wmma::fragment<%s, wmma::row_major> f; *p = f.num_elements; }\nint main() {}\n' \
        "${what%:of*}" >none.cu
    "$warplens" run none.cu >out 2>err
    grep -q "^warplens run: none.cu:3: .*a fragment ${what##*:} (nvcuda::wmma)" err || { echo "FAILED: $what"; head -n 5 err; failed=1; }
done

# A row that nobody wrote is a fault, and the program goes on.
tells unwritten "" "$load;"
sed -i 's/s\[l\] = 0;/if (l < 8) s[l] = 0;/' mistake.cu
"$warplens" run mistake.cu --rules-only >out 2>err
grep -q '^31 faults: 31 unwritten_shared' out || { echo "FAILED: rows that nobody wrote"; cat out err; failed=1; }
exit $failed

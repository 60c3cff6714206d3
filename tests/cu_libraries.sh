#!/bin/sh
# cu_libraries.sh WARPLENS - are calls of CUDA's libraries, which the host computes, told in every form of a report, also
# behind a trace in a file, and is what is not there refused by its name? Results are of tests/cu/*.cu.
set -u
warplens=$(realpath "$1")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() {
    failed=1
    echo "FAILED: $1"
}
# has WHAT FILE TEXT
has() {
    grep -qF -- "$3" "$2" || { fail "$1: not in the output: $3"; cat "$2"; }
}
# refused WHAT FILE.cu MESSAGE: status 2, one line, and no figure
refused() {
    "$warplens" run "$2" >out 2>err
    [ $? -eq 2 ] || fail "$1: status"
    [ "$(cat err)" = "warplens run: $3" ] || { fail "$1: message"; cat err; }
    [ -s out ] && fail "$1: output"
}

cat >blas.cu <<'END'
#include <cublas_v2.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main()
{
    cublasHandle_t handle;
    float host[32] = {1}, *x, result, alpha = 3;
    cublasCreate(&handle);
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; i++)
        cublasSscal(handle, 32, &alpha, x, 1);
    twice<<<1, 32>>>(x);
    cublasSasum(handle, 32, x, 1, &result);
    cublasDestroy(handle);
    return result == 54 ? 0 : 1;
}
END
sentence="Not traced, since a library's kernels are not in the program, and in no count and no time:"
calls='cublasSscal 3 calls, cublasSasum 1 call.'
"$warplens" run blas.cu >out 2>err || { fail "cuBLAS"; cat err; }
[ -s err ] && { fail "messages"; cat err; }
[ "$(head -n 2 out | tr '\n' ' ')" = "$sentence $calls " ] || { fail "the report"; head -n 3 out; }
"$warplens" run blas.cu --format json -o out || fail "JSON"
has "JSON" out '"not_traced":{"cublasSscal":3,"cublasSasum":1}'
"$warplens" run blas.cu --format csv -o out || fail "CSV"
has "CSV" out 'h200,,not_traced,cublasSscal,library_calls,calls,3'
"$warplens" run blas.cu --format html -o out || fail "HTML"
has "HTML" out 'cublasSscal 3 calls'
"$warplens" compare blas.cu blas.cu >out || fail "compare"
has "compare" out "blas.cu: Not traced"
"$warplens" trace record blas.cu -o trace.wlt 2>err || { fail "trace record"; cat err; }
"$warplens" trace convert trace.wlt -o trace.txt 2>err || { fail "trace convert"; cat err; }
for trace in trace.wlt trace.txt; do
    "$warplens" run $trace >out 2>err || { fail "run of $trace"; cat err; }
    has "$trace" out "$calls"
done

cat >unknown.cu <<'END'
#include <cublas_v2.h>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSgetrfBatched(handle, 1, 0, 1, 0, 0, 1);
}
END
refused "an unknown function" unknown.cu "unknown.cu:7: cublasSgetrfBatched is not among what warplens has of cuBLAS\
 (warplens/cublas_functions.def lists that): write a kernel for it"

cat >sparse.cu <<'END'
#include <cusparse.h>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
    cusparseSpGEMMDescr_t descriptor;
    cusparseSpGEMM_createDescr(&descriptor);
}
END
refused "an unknown function of cuSPARSE" sparse.cu "sparse.cu:5: cusparseSpGEMMDescr_t is not among what warplens has of\
 cuSPARSE (warplens/cusparse_host.h lists that): write a kernel for it"

cat >host.cu <<'END'
#include <cublas.h>
#include <cstdio>
int main()
{
    float host[4] = {1, 2, 3, 4}, *d;
    cublasInit();
    cublasAlloc(4, sizeof(float), (void **)&d);
    cublasSetVector(4, sizeof(float), host, 1, d, 1);
    printf("%g %d\n", cublasSdot(4, d, 1, d, 1), cublasGetError());
    cublasSscal(4, 2, host, 1);
    printf("%d %g\n", cublasGetError(), host[0]);
    cublasFree(d);
}
END
"$warplens" run host.cu >out 2>err || fail "libraries alone"
[ "$(tr '\n' ' ' <out)" = "30 0 11 1 " ] || { fail "cublas.h"; cat out; }
has "a host's pointer" err "warplens: cublasSscal: x (16 bytes) is outside every device array"
has "libraries alone" err "the program launched no kernel but those of libraries, which are not traced: there is nothing to report"
exit $failed

#!/bin/sh
# cu_libraries.sh WARPLENS - are calls of CUDA's libraries, which the host computes, told in every form of a report, also
# behind a trace in a file, and is what is not there refused by its name? Results are of tests/cu/*.cu. And those of libcu++: at which lines are their accesses, which barriers are refused?
set -u
warplens=$(realpath "$1")
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1
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
    cublasSgeqrfBatched(handle, 1, 1, 0, 1, 0, 0, 1);
}
END
refused "an unknown function" unknown.cu "unknown.cu:7: cublasSgeqrfBatched is not among what warplens has of cuBLAS\
 (warplens/cublas_functions.def lists that): write a kernel for it"

# Names of CUDA's own that are not there, under each compiler, and a name of the program's that is like one.
cat >names <<'END'
cudaFoo_t x;|cudaFoo_t is not among what warplens has of the CUDA runtime
cudaFooBar(p);|cudaFooBar is not among what warplens has of the CUDA runtime
struct S { void f(cudaFoo_t); };|cudaFoo_t is not among what warplens has of the CUDA runtime
} template <class T> void f() { cudaFooBar();|cudaFooBar is not among what warplens has of the CUDA runtime
CUdeviceptr p;|the driver API .CUdeviceptr. cannot run under warplens: use the runtime API
cuMemGetInfo(0, 0);|the driver API .cuMemGetInfo. cannot run under warplens: use the runtime API
cudaDeviceProp d; d.fooBar = 1;|cudaDeviceProp::fooBar is not among what warplens has of the CUDA runtime
cg::foo_bar<4> t;|cooperative_groups::foo_bar is not among what warplens has of cooperative groups
cooperative_groups::foo_bar(p);|cooperative_groups::foo_bar is not among what warplens has of cooperative groups
END
has_names() {
    while IFS='|' read -r code message; do
        {
            echo '#include <cooperative_groups.h>'
            echo 'namespace cg = cooperative_groups;'
            echo "int main() { int *p = 0; (void)p; $code }"
        } >names.cu
        "$warplens" run names.cu >out 2>err && fail "$code runs"
        grep -Eq "^warplens run: names.cu:3: (cg::|cooperative_groups::)?${message#cooperative_groups::}" err || { fail "$code"; cat err; }
    done <names
}
has_names
command -v clang++ >/dev/null && WARPLENS_CXX=clang++ has_names
# The header for kernels has the host's names, as cuRAND's has.
cat >kernel_header.cu <<'END'
#include <curand_kernel.h>
__global__ void k(float *p) { curandState s; curand_init(1, threadIdx.x, 0, &s); p[threadIdx.x] = curand_uniform(&s); }
int main()
{
    float *p;
    curandGenerator_t generator;
    cudaMalloc(&p, 128);
    k<<<1, 32>>>(p);
    return curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) || curandGenerateUniform(generator, p, 32);
}
END
"$warplens" run kernel_header.cu >out 2>err || { fail "curand_kernel.h alone"; cat err; }
has "curand_kernel.h alone" out "curandGenerateUniform"

cat >typo.cu <<'END'
int main() { int *p = 0; cdaFree(p); }
END
"$warplens" run typo.cu >out 2>err && fail "a name that is not declared runs"
grep -q 'does not compile' err || { fail "a name of the program's own"; cat err; }
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

cat >lt.cu <<'END'
#include <cublasLt.h>
int main()
{
    cublasLtMatmulAlgoGetIds(0, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1, 0, 0);
}
END
refused "an unknown function of cuBLASLt" lt.cu "lt.cu:4: cublasLtMatmulAlgoGetIds is not among what warplens has of\
 cuBLASLt (cublasLt.h lists that): write a kernel for it"
echo '#include <cute/tensor.hpp>' >cute.cu
refused "CuTe without its headers" cute.cu "cute.cu:1: #include <cute/tensor.hpp>: CUTLASS without its headers cannot run under\
 warplens: name their folder with -I (include of a copy of CUTLASS)"

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

cat >atomics.cu <<'END'
#include <cuda/atomic>
__global__ void k(unsigned *p, cuda::atomic<double> *d)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(p[threadIdx.x]);
    ref.fetch_add(5, cuda::memory_order_relaxed);
    d[threadIdx.x].store(
        1.5);
    if (d[threadIdx.x].load(cuda::memory_order_acquire) > 1)
        ref.exchange(7);
}
int main()
{
    unsigned *p;
    cuda::atomic<double> *d;
    cudaMalloc(&p, 256);
    cudaMalloc(&d, 256);
    cudaMemset(p, 0, 256);
    k<<<1, 32>>>(p, d);
    return cudaDeviceSynchronize();
}
END
"$warplens" run atomics.cu --rules-only --full >out 2>err || { fail "cuda::atomic"; cat err; }
while read -r line kind accesses sectors; do
    grep -Eq "^ *atomics.cu:$line +global $kind +$accesses +0 +$sectors +$sectors +0\$" out || fail "cuda::atomic: $line $kind"
done <<'END'
5 atomic 1 4
6 store 1 8
8 load 1 8
9 atomic 1 4
END
grep -q "^ *[a-z_]*\.h:" out && { fail "cuda::atomic: other lines"; cat out; }
grep -q " local " out && { fail "cuda::atomic: local memory"; cat out; }

# barrier NAME MESSAGE: of a block of 64 threads with the kernel's body on standard input
barrier() {
    { printf '%s\n' '#include <cuda/barrier>' '#include <utility>' '__global__ void k(int *p)' '{'
        printf '%s\n' '__shared__ cuda::barrier<cuda::thread_scope_block> b;'; cat
        echo '} int main() { int *p; cudaMalloc(&p, 256); k<<<1, 64>>>(p); return cudaDeviceSynchronize() != cudaSuccess; }'
    } >barrier.cu
    "$warplens" run barrier.cu >out 2>err && fail "$1: status"
    has "$1" err "$2"
}
barrier "without init" "in k: a barrier in shared memory that is not initialised: mbarrier.init, or init(&barrier, count), comes first" <<'END'
b.arrive_and_wait();
END
barrier "no arrival" "in k: 0 arrivals at once at a cuda::barrier" <<'END'
if (threadIdx.x == 0) init(&b, 64); __syncthreads(); auto token = b.arrive(0);
END
barrier "not all arrive" "at which only 32 of 64 threads have arrived" <<'END'
if (threadIdx.x == 0) init(&b, 64); __syncthreads();
cuda::barrier<cuda::thread_scope_block>::arrival_token token;
if (threadIdx.x < 32) token = b.arrive();
b.wait(std::move(token));
END
cat >pipeline.cu <<'END'
#include <cuda/pipeline>
#include <cooperative_groups.h>
__global__ void k(int *p)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto role = cuda::pipeline_role::producer;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
    pipe.producer_commit();
}
int main()
{
    k<<<1, 64>>>(nullptr);
    return cudaDeviceSynchronize() != cudaSuccess ? 3 : 0;
}
END
"$warplens" run pipeline.cu >out 2>err
grep -q 'in k: a cuda::pipeline without a producer or without a consumer cannot run under warplens' err || {
    echo "FAILED: a pipeline without consumers"; cat err; failed=1; }
exit $failed

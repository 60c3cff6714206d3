#!/bin/sh
# cu.sh CU_RUN WARPLENS - is a CUDA program compiled, run and traced as it stands, and are its mistakes told with
# their file and line?
# All of it with the first compiler that is here, what depends on the compiler with the other, too.
set -u
cu_run=$(realpath "$1") || exit 1
warplens=$(realpath "$2") || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp"
cd "$dir" || exit 1
failed=0

fail() {
    failed=1
    echo "FAILED: $WARPLENS_CXX: $1"
    sed 's/^/    /' out messages
}

# check NAME STATUS OUTPUT MESSAGES ARGUMENTS...: runs; both texts are shell patterns.
check() {
    name=$1 status=$2 output=$3 messages=$4
    shift 4
    "$cu_run" -o trace "$@" >out 2>messages </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$name: exit status $got, not $status"
    eval "case \$(cat out) in $output) ;; *) fail \"\$name: output\" ;; esac"
    eval "case \$(cat messages) in $messages) ;; *) fail \"\$name: messages\" ;; esac"
    [ -z "$(ls tmp)" ] || fail "$name: something is left in TMPDIR"
}

# has PATTERN: a line of the trace.
has() {
    grep -q -x " *$1 *" trace.txt || fail "the trace has no line: $1"
}

cat >program.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "sizes.h"

__constant__ float factor[2];
__device__ int counter;
extern __shared__ int at_file_scope[];

template <typename T, int N> __global__ void reverse(T *out, const T *in)
{
    __shared__ T tile[N];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x] * factor[1];
    atomicAdd(&counter, 1);
}

__global__ void dynamic(float *p)
{
    extern __shared__ float s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[SIZE - 1 - threadIdx.x];
}

__global__ void add(int *p, int n) { p[n] += 1; }
__global__ void add(float *p, int n) { p[n] += 0.5f; }

template <typename T> void launch_from_template(T *p)
{
    constexpr int n = SIZE;
    reverse<T, n><<<1,
                    n>>>(p + n,
                         p);
}

int main(int argc, char **argv)
{
    float *p, host[SIZE], f[2] = {1, 2};
    int count;
    std::vector<float> v(SIZE);
    for (int i = 0; i < SIZE; i++)
        v[i] = i;
    cudaMalloc(&p, 2 * SIZE * sizeof *p);
    cudaMemcpyToSymbol(factor, f, sizeof f);
    cudaMemcpy(p, v.data(), sizeof host, cudaMemcpyHostToDevice);
    launch_from_template(p);
    void (*kernel)(float *) = &dynamic;
    kernel<<<dim3(1), SIZE, sizeof host>>>(p + SIZE);
    add<<<1, 1>>>(p + SIZE, 3);
    cudaMemcpy(host, p + SIZE, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    printf("%g %g %d %s %d <<<1>>>\n", host[1], host[3], count, argv[0], argc);
    return argc > 1 ? atoi(argv[1]) : 0;
}
END
cat >sizes.h <<'END'
#define SIZE 32
END
cat >crash.cu <<'END'
#include <csignal>
#include <cstdlib>
__global__ void store(int *p, int n)
{
    p[n] = 3;
}
__global__ void divide(int *p)
{
    p[1] = 7 / p[0];
}
int main(int argc, char **argv)
{
    int what = atoi(argv[1]), *p;
    cudaMalloc(&p, 16);
    cudaMemset(p, 0, 16);
    if (what == 1)
        store<<<1, 32>>>(p, 1 << 26);
    if (what == 2)
        divide<<<1, 32>>>(p);
    if (what == 3)
        return *(volatile int *)nullptr;
    if (what == 4)
        abort();
    if (what == 5)
        raise(SIGTRAP);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 5;
}
END
cat >instances.cu <<'END'
struct plus {};
template <class F, int N> __global__ void apply(float *p, F) { p[threadIdx.x] = N; }
template <class T> struct S {
    typedef T type;
    template <int K> static void go(float *p, T t)
    {
        apply<T, K><<<1, 32>>>(p, t);
        apply<typename S<T>::type, K + 1><<<1, 32>>>(p, t);
    }
};
template <class... Ts> __global__ void many(float *p) { p[threadIdx.x] = sizeof...(Ts); }
template <class... Ts> void pack(float *p) { many<Ts...><<<1, 32>>>(p); }
int main()
{
    float *p;
    cudaMalloc(&p, 128);
    S<plus>::go<7>(p, plus());
    pack<int, float>(p);
    auto lambda = [&](auto x) { apply<decltype(x), 3><<<1, 32>>>(p, x); };
    lambda(plus());
    return 0;
}
END
cat >wrong.cu <<'END'
#include "sizes.h"

__global__ void kernel(int *p) { undeclared[0] = 3; }
int main() { kernel<<<1, 1>>>(nullptr); }
END
echo '#include <cudnn.h>' >header.cu
printf '\ncudaError_t e = cudaMallocMipmappedArray();\nint main() {}\n' >mipmap.cu
echo 'int helper(void); int main() { return helper(); }' >alone.cu
echo 'int helper(void) { return 6; }' >helper.c
echo 'extern "C" int helper(void); int main() { return helper(); }' >with_c.cpp
mkdir elsewhere

each() {
    check "a program" 0 '"2 6.5 32 program.cu 1 <<<1>>>"' '""' program.cu
    "$warplens" trace cat trace >trace.txt || fail "the trace of a program cannot be read"
    has 'launch "reverse<float, n>" grid=1 block=32'
    has 'site . ld.global.b32 file=program.cu line=13 array=p'
    has 'site . st.shared.b32 file=program.cu line=13 array=tile'
    has 'site . ld.const.b32 file=program.cu line=15 array=.*'
    has 'site . atom.global.b32 file=program.cu line=16 array=counter'
    has 'launch dynamic grid=1 block=32 shared=128'
    has 'site . ld.shared.b32 file=program.cu line=24 array=s'
    has 'launch add grid=1 block=1'
    # Template arguments are those of the function that launches; what it does not name stays as it is written.
    check "instances of templates" 0 '""' '""' instances.cu
    "$warplens" trace cat trace >trace.txt || fail "the trace of a program cannot be read"
    has 'launch "apply<plus, 7>" grid=1 block=32'
    has 'launch "apply<typename S<plus>::type, 7+1>" grid=1 block=32'
    has 'launch "many<int, float>" grid=1 block=32'
    has 'launch "apply<decltype(x), 3>" grid=1 block=32'
    check "out of bounds" 5 '""' \
        '"warplens: crash.cu:5: in store: store of 4 bytes at p + 268435456 bytes, outside every array"*' \
        crash.cu -- 1
    check "division in a kernel" 136 '""' \
        '"warplens: crash.cu:9: in divide: integer division by zero [block (0,0,0), thread (0,0,0)]"' \
        crash.cu -- 2
    check "a compiler's error" 2 '""' '"wrong.cu: does not compile ("*"wrong.cu:3:"*undeclared*' wrong.cu
}

once() {
    check "arguments and status" 7 '*"program.cu 3 <<<1>>>"' '""' program.cu -- 7 x
    check "an option" 0 '*" 1 <<<1>>>"' '""' -DSIZE=32 -Ielsewhere -std=gnu++20 program.cu
    check "null in host code" 139 '""' '"warplens: crash.cu:21: in host code: access through a null"*' \
        crash.cu -- 3
    check "abort" 134 '""' '""' crash.cu -- 4
    check "a trap" 133 '""' '*"in host code: a trap"' crash.cu -- 5
    check "a header" 2 '""' '"header.cu:1: #include <cudnn.h>: cuDNN cannot run"*' header.cu
    check "what cannot run" 2 '""' '"mipmap.cu:2: a mipmapped array (cudaMallocMipmappedArray) cannot run"*' mipmap.cu
    check "the linker's error" 2 '""' '"alone.cu: does not link ("*helper*' alone.cu
    check "several files, one of C" 6 '""' '""' with_c.cpp helper.c
    check "no file" 1 '""' '"none.cu: cannot read: No such file"*' none.cu
}

compilers=0
for WARPLENS_CXX in g++ clang++; do
    export WARPLENS_CXX
    command -v "$WARPLENS_CXX" >/dev/null || continue
    each
    [ $compilers -gt 0 ] || once
    compilers=$((compilers + 1))
done
[ $compilers -gt 0 ] || exit 77
WARPLENS_CXX=./none check "no compiler" 2 '""' '"WARPLENS_CXX is ./none, which is no program"*' program.cu
WARPLENS_CXX=true check "no such compiler" 2 '""' '*"true is neither gcc nor clang"*' program.cu
# A compiler that is ended leaves its temporary files in a folder that goes with the program's.
compiler=$(command -v g++ clang++ | head -n 1)
printf '#!/bin/sh\necho "$TMPDIR" >>"%s/folders"\nexec "%s" "$@"\n' "$dir" "$compiler" >logged
chmod +x logged
WARPLENS_CXX=./logged check "the compiler's folder" 0 '*' '""' program.cu
[ -s folders ] && ! grep -v "^$dir/tmp/warplens-[^/]*/scratch$" folders ||
    fail "compilers write into other folders: $(sort -u folders)"
WARPLENS_HOME="$dir" check "no home" 2 '""' '"WARPLENS_HOME is "*", which has no "*' program.cu

# A program may end without exit, and have children that are not its trace's; only what launched no kernel is said
# to have launched none.
says() {
    "$warplens" run "$@" --rules-only --full >out 2>messages </dev/null
}
cat >ends.cu <<'END'
#include <cstdlib>
#include <unistd.h>
#include <sys/wait.h>
__global__ void one(float *a) { a[threadIdx.x] = 1; }
__global__ void leaves(float *a) { a[threadIdx.x] = 1; _exit(0); }
int main(int, char **argv)
{
    float *d;
    if (argv[1][0] == 'n')
        _exit(0);
    if (fork() == 0)
        exit(0);
    cudaMalloc(&d, 4096);
    if (argv[1][0] == 'k')
        leaves<<<1, 32>>>(d);
    one<<<1, 32>>>(d);
    if (fork() == 0) {
        one<<<1, 32>>>(d);
        _exit(0);
    }
    if (vfork() == 0)
        _exit(0);
    while (wait(NULL) > 0)
        ;
    one<<<1, 32>>>(d);
    if (argv[1][0] == 'x')
        execl("/bin/true", "true", NULL);
    _exit(0);
}
END
says ends.cu -- ends || fail "_exit behind launches: exit status $?"
grep -q 'All 2 launches' out || fail "_exit behind launches: not two of them"
says ends.cu -- none
grep -q 'launched no kernel' messages || fail "_exit before any launch: messages"
says ends.cu -- kernel && fail "a kernel that calls _exit is fine"
grep -q 'leaves: the kernel has ended the program' messages || fail "a kernel that calls _exit: messages"
grep -q 'launched no kernel' messages && fail "a kernel that calls _exit: launched none"
says ends.cu -- x && fail "a program that goes on as another is fine"
grep -q 'went on as another' out || fail "exec: the report does not say so"

# Every array has its name, however many there are; arrays of a name that are freed have no end of sites.
awk 'BEGIN { print "__global__ void k(int *p) { *p = 1; }\nint main()\n{"
    for (i = 0; i < 300; i++) printf "int *a%d; cudaMalloc(&a%d, 4); k<<<1, 1>>>(a%d);\n", i, i, i
    print "for (int i = 0; i < 1500; i++) { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaFree(p); }\n}" }' >names.cu
"$warplens" run names.cu --rules-only --gpu gtx280 --format json >out 2>messages || fail "300 names: exit status $?"
[ "$(grep -o '"array":"a[0-9]*","space"' out | sort -u | wc -l)" -eq 300 ] || fail "300 names: not all of them are there"
"$warplens" trace record names.cu -o names.wlt && "$warplens" trace cat names.wlt >out 2>messages
[ "$(grep -c '^site ' out)" -eq 1024 ] || fail "arrays in a loop: $(grep -c '^site ' out) sites"

# A signal takes the directory along.
echo 'int main() { for (volatile int i = 0;; i = i + 1) ; }' >endless.cu
"$cu_run" endless.cu >out 2>messages &
tries=0
while [ -z "$(ls tmp)" ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -TERM $!
wait $!
[ $? -eq 143 ] && [ -z "$(ls tmp)" ] || fail "a signal: something is left in TMPDIR"

# Killed itself, it takes the program along; more than a file may hold takes the directory along.
cat >waits.cu <<'END'
#include <cstdio>
#include <unistd.h>
int main()
{
    FILE *out = fopen("pid", "w");
    fprintf(out, "%d\n", (int)getpid());
    fclose(out);
    for (int i = 0; i < 60; i++)
        sleep(1);
}
END
"$cu_run" waits.cu >out 2>messages &
tries=0
while ! [ -s pid ] && [ $tries -lt 400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -KILL $!
wait $! 2>waited
runs() { # a zombie runs no more
    grep '^State:' "/proc/$1/status" 2>waited | grep -q -v Z
}
tries=0
while runs "$(cat pid)" && [ $tries -lt 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
runs "$(cat pid)" && fail "the program goes on without warplens" && kill -KILL "$(cat pid)"
rm -rf tmp/*
printf '#include <unistd.h>\n__global__ void k(int *p) { *p = 1; }\nint main() { FILE *f = fopen("pid2", "w"); fclose(f); sleep(20); }\n' |
    sed '1i #include <cstdio>' >slow.cu
"$cu_run" slow.cu >out 2>messages &
tries=0
while ! [ -e pid2 ] && [ $tries -lt 400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -XFSZ $!
wait $! 2>waited
[ -z "$(ls tmp)" ] || fail "SIGXFSZ: something is left in TMPDIR"
exit $failed

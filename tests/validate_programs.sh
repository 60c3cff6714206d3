#!/bin/sh
# validate_programs.sh WARPLENS SOURCES - a user's own program against the profiler's file: which launch belongs to
# which, what is refused by name, and files that name programs. What an H200 counted of the sample programs is
# validation/h200_programs.csv: requests and sectors of global memory are equal, shared passes but for those below.
set -u
warplens=$1
sources=$2
. "$(dirname "$0")/checks.sh"
case $warplens in /*) ;; *) warplens=$PWD/$warplens ;; esac
cd "$sources" || exit 1

# What programs print is on standard error, and no message.
runs() {
    want=$1
    shift
    "$warplens" validate "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$want" ] || fail "'$*' exits with $status, not $want: $(cat "$dir/err")"
}
shows() {
    sed 's/^ *//; s/  */ /g' "$dir/out" | grep -q -- "$1" || fail "the output lacks: $1; it is: $(cat "$dir/out")"
}
notes() {
    tr '\n' ' ' <"$dir/out" | sed 's/  */ /g' | grep -q -- "$1" || fail "the output lacks: $1; it is: $(cat "$dir/out")"
}
says() {
    grep -q -- "$1" "$dir/err" || fail "expected: $1; it says: $(cat "$dir/err")"
}
with() {
    printf '%b' "$1" >"$dir/in.csv"
}
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op

# ---- The sample programs on an H200 ------------------------------------------------------------------
runs 0 validation/h200_programs.csv tests/cu/samples . -I tests/cu --gpu h200 -j 2 --within 30 --max-error "${sectors}_ld.sum=0"
shows '^H200 (h200): 22 launches of 9 programs, rules only$'
for counter in t_requests_pipe_lsu_mem_global_op_ld t_sectors_pipe_lsu_mem_global_op_ld \
               t_requests_pipe_lsu_mem_global_op_st t_sectors_pipe_lsu_mem_global_op_st; do
    shows "^l1tex__$counter.sum 22 22 0 0.00 % 0.00 % 0.00 % [0-9.]* 22$"
done
# Four words of a tile's row are loaded at once, as nvcc's LDS.128 does; in prescan nvcc makes fewer accesses to shared memory than the
# source has, by 16 loads' passes and 8 stores' a block: which ones is not known.
shows '_mem_shared_op_ld.sum 22 20 0 '
shows '_mem_shared_op_st.sum 22 20 0 '
runs 0 validation/h200_programs.csv tests/cu/samples . -I tests/cu --gpu h200 -j 2 --format csv
awk -F, '/_mem_shared_/ && $(NF-1) != $NF { print $3 }' "$dir/out" | sort | uniq -c | sed 's/^ *//' >"$dir/different"
printf '4 scan.cu\n' | cmp -s - "$dir/different" || fail "other passes differ: $(cat "$dir/different")"
runs 2 validation/h200_programs.csv tests/cu/samples .
says 'h200_programs.csv:2: the file does not say on which GPU it was measured'

# ---- A file of ncu and the program ------------------------------------------------------------------
runs 0 tests/data/ncu_transpose_cu.csv examples/cuda/transpose.cu
shows '^examples/cuda/transpose.cu on h200, launch 1: tiled<1>$'
shows "^${sectors}_st.sum 2 2 0 0.00 % 0.00 % 0.00 % -$"
runs 2 tests/data/ncu_transpose_cu.csv examples/cuda/transpose.cu -- 256
says 'ncu_transpose_cu.csv:6: straight has the grid 16x16x1 and blocks of 32x8x1, in the run 8x8x1 and 32x8x1: measured with'
runs 2 tests/data/ncu_transpose_cu.csv
says 'names functions but not what ran: name the program'
runs 2 tests/data/ncu_transpose_cu.csv tests/cu/samples/vector_add.cu -I tests/cu
says 'the files have straight, tiled<1>; the runs of the kernels have vectorAdd$'
runs 1 tests/data/ncu_transpose_cu.csv nosuch.cu
says 'nosuch.cu: No such file'
"$warplens" trace record examples/cuda/transpose.cu --gpu h200 -o "$dir/transpose.wlt" >/dev/null 2>&1
runs 0 tests/data/ncu_transpose_cu.csv "$dir/transpose.wlt"
shows "^${sectors}_st.sum 2 2 0 0.00 % 0.00 % 0.00 % -$"
runs 2 tests/data/ncu_transpose_cu.csv "$dir/transpose.wlt" -- 512
says 'arguments behind -- are for the program'

# What ncu 2025.3 wrote on an H200 with each --print-kernel-base, and as its raw page: a namespace without a name, an
# instance, a class and a lambda as arguments (nvcc --extended-lambda).
"$warplens" trace record tests/data/ncu/names.cu -o "$dir/names.wlt" || fail "names.cu cannot be recorded"
for form in demangled mangled function raw; do
    runs 0 "tests/data/ncu/names_$form.csv" "$dir/names.wlt" --gpu h200
    shows "^${sectors}_ld.sum 5 5 0 0.00 % 0.00 % 0.00 % 1.000$"
    shows "^${sectors}_st.sum 5 5 0 0.00 % 0.00 % 0.00 % 1.000$"
    ! grep -q 'left out:' "$dir/out" || fail "launches of names_$form.csv are left out: $(cat "$dir/out")"
done
# Many names without a counter are counted by their unit; few are named. The JSON has each.
notes 'Measured but not modelled: c2clink__ (2), dram__ (4), .* launch__ (54)'
runs 0 tests/data/ncu/names_raw.csv "$dir/names.wlt" --format json
notes 'not_modelled.*"launch__registers_per_thread"'
# Caches kept between launches; launches passed over, of all and of one kernel.
sample() {
    runs 0 "tests/data/ncu/$1.csv" "tests/cu/samples/$2.cu" -I tests/cu $3
    shows "^${sectors}_ld.sum $4 $4 0 0.00 % "
    shows "^${sectors}_st.sum $4 $4 0 0.00 % "
}
sample stencil_2d_warm stencil_2d '--cache-control none' 4
shows '^H200 (h200): 4 launches of 1 program, caches as the launch before left them$'
sample stencil_2d_skip2 stencil_2d '--launch-skip 2' 2
sample reduction_skip3 reduction_template '--launch-skip reduce=3' 3

# A program whose every launch stores another number of words, so that none can be taken for another.
cat >"$dir/steps.cu" <<'END'
#include <cuda_runtime.h>
#include <cstdlib>
#ifndef BLOCK
#define BLOCK 32
#endif
namespace ns {
template <class T, int N> __global__ void step(T *p) { p[N * threadIdx.x] = 1; }
}
static __global__ void other(float *p, int stride) { p[stride * threadIdx.x] = 1; }
int main(int argc, char **argv)
{
    const int repeats = argc > 1 ? atoi(argv[1]) : 2;
    float *f;
    double *d;
    cudaMalloc(&f, 1 << 16);
    cudaMalloc(&d, 1 << 16);
    for (int i = 0; i < repeats; i++) {
        ns::step<float, 1><<<1, BLOCK>>>(f);  // 4 sectors
        ns::step<double, 1><<<1, BLOCK>>>(d); // 8
        ns::step<float, 4><<<1, BLOCK>>>(f);  // 16
        other<<<1, BLOCK>>>(f, i + 1);        // 4, 8, 12
    }
    return cudaDeviceSynchronize() == cudaSuccess && argc > 2 ? atoi(argv[2]) : 0;
}
END
for repeats in 2 3; do
    "$warplens" trace record "$dir/steps.cu" -o "$dir/$repeats.wlt" -- $repeats || fail "the program cannot be recorded"
done
mv "$dir/2.wlt" "$dir/two.wlt" && mv "$dir/3.wlt" "$dir/three.wlt"
details='"ID","Kernel Name","Block Size","Grid Size","CC","Metric Name","Metric Value"\n'
# row ID KERNEL SECTORS [BLOCK]
row() {
    printf '"%s","%s","(%s, 1, 1)","(1, 1, 1)","9.0","%s_st.sum","%s"\\n' "$1" "$2" "${4:-32}" "$sectors" "$3"
}
# equal COUNT: so many launches are compared, and all are equal.
equal() {
    shows "^${sectors}_st.sum $1 $1 0 "
}
f1='void ns::step<float, (int)1>(T1 *)' d1='void ns::step<double, (int)1>(T1 *)' f4='void ns::step<float, (int)4>(T1 *)'
o='other(float *, int)'
with "$details$(row 0 "$f1" 4)$(row 1 "$d1" 8)$(row 2 "$f4" 16)$(row 3 "$o" 4)$(row 4 "$f1" 4)$(row 5 "$d1" 8)$(row 6 "$f4" 16)$(row 7 "$o" 8)"
runs 0 "$dir/in.csv" "$dir/two.wlt"
equal 8
# Only some instances, as -k has it; the others are not taken for them.
with "$details$(row 0 "$d1" 8)$(row 1 "$f4" 16)$(row 2 "$d1" 8)"
runs 0 "$dir/in.csv" "$dir/two.wlt"
equal 3
notes 'of 2 launches of ns::step<float, 4> in the runs, the first 1 are measured'
with "$details$(row 0 _ZN2ns4stepIdLi1EEEvPT_ 8)$(row 1 _ZL5otherPfi 4)"
runs 0 "$dir/in.csv" "$dir/two.wlt"
equal 2
# The function's name alone: in the order of its launches.
with "$details$(row 0 step 4)$(row 1 step 8)$(row 2 step 16)$(row 3 other 4)$(row 4 step 4)"
runs 0 "$dir/in.csv" "$dir/two.wlt"
equal 5
# --launch-skip, of all launches and of one kernel's; an argument makes other launches.
with "$details$(row 0 "$f4" 16)$(row 1 "$o" 8)$(row 2 "$f1" 4)"
runs 0 "$dir/in.csv" "$dir/steps.cu" --launch-skip 4 -- 3
equal 3
# --launch-count: what is behind is not traced.
runs 0 "$dir/in.csv" "$dir/steps.cu" --launch-skip 4 --launch-count 4 -- 3
equal 3
runs 0 "$dir/in.csv" "$dir/steps.cu" --launch-skip 4 --launch-count 3 -- 3
equal 2
notes 'launches of other are left out: nothing named launches it'
with "$details$(row 0 "$o" 12)"
runs 0 "$dir/in.csv" "$dir/three.wlt" --launch-skip other=2
equal 1
runs 0 "$dir/in.csv" "$dir/three.wlt"
shows "^${sectors}_st.sum 12 4 sector -8 -66.67 %$"
runs 2 "$dir/in.csv" "$dir/two.wlt" --launch-skip other=x
says 'launch-skip other=x: allowed is N or KERNEL=N'
# More launches than the run has; another shape, of all launches or of one.
with "$details$(row 0 "$o" 4)$(row 1 "$o" 8)$(row 2 "$o" 12)"
runs 2 "$dir/in.csv" "$dir/two.wlt"
says 'in.csv:4: 3 launches of other are measured, the runs of what is named have 2: .* stand behind --$'
runs 0 "$dir/in.csv" "$dir/three.wlt"
equal 3
runs 2 "$dir/in.csv" "$dir/steps.cu" -D BLOCK=64 -- 3
says 'in.csv:2: other has the grid 1x1x1 and blocks of 32x1x1, in the run 1x1x1 and 64x1x1: measured with other arguments'
with "$details$(row 0 "$o" 4)$(row 1 "$o" 8 64)$(row 2 "$o" 12)$(row 3 'memset(char *)' 1)"
runs 0 "$dir/in.csv" "$dir/three.wlt"
equal 2
notes 'of 3 launches of other 1 are left out: their grid or blocks are not those of the run'
notes 'launches of memset are left out: nothing named launches it'
# nvprof: the average over the launches of each instance.
with '"Device","Kernel","Invocations","Metric Name","Min","Max","Avg"\n"Tesla P100 (0)","other(float*, int)",3,"gst_transactions",4,12,8.000000\n"Tesla P100 (0)","void ns::step<float, int=4>(float*)",3,"gst_transactions",16,16,16.000000\n'
runs 0 "$dir/in.csv" "$dir/steps.cu" -- 3
shows 'launch 1 (average of 3): step<float, 4>$'
shows '^gst_transactions 2 2 0 '
runs 2 "$dir/in.csv" "$dir/steps.cu" -- 2
says '3 launches of other are measured, the runs of what is named have 2'
# A program that fails is compared as far as it came; one that does not compile is not.
with "$details$(row 0 "$o" 4)"
runs 2 "$dir/in.csv" "$dir/steps.cu" -- 2 5
equal 1
says 'the program ended with status 5'
says 'steps.cu 2 5 on h200: the run failed; the launches before that are compared$'
runs 2 "$dir/in.csv" "$dir/steps.cu" -D main=nothing
says 'steps.cu on h200: it cannot be built or read'

# Launched by a function template: the run knows which instance reduce<T, 64> is. An H200's figures.
loads=$(awk -F, '$1 == "reduction_template.cu" && $2 == 4 { print $5 }' validation/h200_programs.csv)
with "$details"'"0","void reduce<double, (unsigned int)128>(const T1 *, T1 *, unsigned int)","(128, 1, 1)","(3, 1, 1)","9.0",'"\"${sectors}_ld.sum\",\"$loads\"\n"
runs 0 "$dir/in.csv" tests/cu/samples/reduction_template.cu -I tests/cu
shows 'launch 1: reduce<double, 128>$'
shows "^${sectors}_ld.sum 1 1 0 "

# ---- Files that name programs -------------------------------------------------------------------------
head="kernel,cache,launch,arguments,driver,gpu,program,${sectors}_st.sum,not__modelled.sum,lts__t_sectors_op_read.sum\n"
cat >"$dir/twice.cu" <<'END'
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void sum(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
int main(int argc, char **argv)
{
    float *p;
    cudaMalloc(&p, 1 << 20);
    cudaMemset(p, 0, 1 << 20);
    for (int i = 0; i < atoi(argv[1]); i++)
        sum<<<1, 32 * atoi(argv[2])>>>(p, p + 4096);
    return 0;
}
END
with "$head"'sum,cold,1,1 2,,NVIDIA H200,twice.cu,8,,\n"sum(const float *, float *)",warm,2,2  4,550,NVIDIA H200,twice.cu,16,5,\nsum,warm,3,3 1,,NVIDIA H200,twice.cu,4,,\n'
runs 0 "$dir/in.csv"
cp "$dir/out" "$dir/one"
runs 0 "$dir/in.csv" -j 3
cmp -s "$dir/out" "$dir/one" || fail "one process writes something else than three"
equal 3
shows '^twice.cu 2 4 on h200, warm caches, launch 2: sum$'
notes 'Measured but not modelled: not__modelled.sum'
grep -q 'lts__t_sectors_op_read.sum [1-9]' "$dir/out" && fail "a counter of empty cells is compared"
# Cold and warm: what the second launch reads of DRAM.
with 'program,arguments,cache,launch,kernel,gpu,dram__sectors_read.sum\ntwice.cu,2 4,cold,2,sum,NVIDIA H200,16\ntwice.cu,2 4,warm,2,sum,NVIDIA H200,0\n'
runs 0 "$dir/in.csv" --format csv
grep -q '^h200,cold,twice.cu,2 4,2,sum,dram__sectors_read.sum,16,16$' "$dir/out" || fail "cold: $(cat "$dir/out")"
grep -q '^h200,warm,twice.cu,2 4,2,sum,dram__sectors_read.sum,0,0$' "$dir/out" || fail "warm: $(cat "$dir/out")"
runs 0 "$dir/in.csv" --format json
grep -q '"cache_control":"mixed"' "$dir/out" && grep -q '"cache_control":"none","launch":2' "$dir/out" || fail "JSON: $(cat "$dir/out")"
# Where programs are: beside the file, in a folder or by a path on the command line.
mkdir "$dir/away" "$dir/away/inner" && mv "$dir/twice.cu" "$dir/away/inner/"
with 'program,launch,kernel,arguments,gpu,'"${sectors}_st.sum"'\ntwice.cu,1,sum,1 2,NVIDIA H200,8\n'
runs 0 "$dir/in.csv" "$dir/away/inner"
equal 1
runs 0 "$dir/in.csv" "$dir/away/inner/twice.cu"
equal 1
runs 2 "$dir/in.csv" "$dir/away"
says 'twice.cu 1 2 on h200: there is no such file beside the measurements'
runs 0 "$dir/in.csv" "$dir/away/inner" --cache-control none
sed -i 's|twice.cu|inner/twice.cu|' "$dir/in.csv"
runs 0 "$dir/in.csv" "$dir/away"
equal 1
for name in ../in/twice.cu "$dir/away/inner/twice.cu" inner/..; do
    with "program,launch,kernel,gpu,${sectors}_st.sum\n$name,1,sum,NVIDIA H200,8\n"
    runs 2 "$dir/in.csv" "$dir/away"
    says 'names programs by paths within a folder'
done
# Further sources are beside the first, and lead nowhere out of there.
sed 's/__global__.*/__global__ void sum(const float *in, float *out);/' "$dir/away/inner/twice.cu" >"$dir/away/inner/two.cu"
sed -n '/__global__/p' "$dir/away/inner/twice.cu" >"$dir/away/inner/kernel.cu"
with 'program,with,launch,kernel,arguments,gpu,'"${sectors}_st.sum"'\ninner/two.cu,kernel.cu,1,sum,1 2,NVIDIA H200,8\n'
runs 0 "$dir/in.csv" "$dir/away"
equal 1
sed -i 's|,kernel.cu,|,../inner/kernel.cu,|' "$dir/in.csv"
runs 2 "$dir/in.csv" "$dir/away"
says 'names programs by paths within a folder'
# One that fails is named, and the others go on.
echo '#error no' >"$dir/away/wrong.cu"
with 'program,launch,kernel,arguments,gpu,'"${sectors}_st.sum"'\nwrong.cu,1,sum,,NVIDIA H200,8\ninner/twice.cu,1,sum,1 2,NVIDIA H200,8\nnosuch.cu,1,k,,NVIDIA H200,1\ninner/twice.cu,1,product,2 2,NVIDIA H200,8\ninner/twice.cu,3,sum,2 1,NVIDIA H200,4\ninner/twice.cu,1,sum,0 0,NVIDIA H200,4\n'
runs 2 "$dir/in.csv" "$dir/away" -j 2
equal 1
says 'wrong.cu on h200: it cannot be built or read'
says 'nosuch.cu on h200: there is no such file'
says 'in.csv:5: launch 1 of inner/twice.cu 2 2 is of product, in the run of sum; the rest of it is left out$'
says 'in.csv:6: launch 3 of inner/twice.cu 2 1: the run has 2; the rest of it is left out$'
says 'inner/twice.cu 0 0 on h200: nothing was launched$'
runs 2 "$dir/in.csv" "$dir/away" --max-error "${sectors}_st.sum=0"
with "program,launch,kernel,gpu\n"
runs 2 "$dir/in.csv"
says 'a header but no launch behind it'
with "program,launch,kernel,gpu,x__y.sum,\na.cu,1,k,NVIDIA H200,,\n"
runs 2 "$dir/in.csv"
says 'column 6 has no name'
with "program,launch,kernel,cache\na.cu,1,k,hot\n"
runs 2 "$dir/in.csv"
says 'in.csv:2: cache hot: allowed is cold or warm'
with "program,launch\na.cu,1\n"
runs 2 "$dir/in.csv"
says 'lacks kernel$'
: >"$dir/in.csv"
runs 2 "$dir/in.csv" "$dir/steps.cu"
says 'no header of a form that is known'

[ $failed -eq 0 ] && echo "programs against profilers: fine"
exit $((failed > 0))

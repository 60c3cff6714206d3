#!/bin/sh
# cu_nvcc.sh WARPLENS COMPILER DATA - --nvcc: what NVIDIA's compiler says of kernels, where it is and where it is not. A stand-in says
# what nvcc 13.0 has said of tests/cu/nvcc_loop.cu, so that no nvcc is needed.
set -u
warplens=$(realpath "$1") || exit 1
export WARPLENS_CXX="$2"
command -v "$2" >/dev/null || exit 77
data=$(realpath "$3")
program=$(dirname "$data")/cu/nvcc_loop.cu
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1
mkdir bin
# stand_in LINES: an nvcc whose compiling is these lines of shell; the file for the code is $cubin, and its words are kept.
stand_in() {
    cat >bin/nvcc <<END_OF_SCRIPT
#!/bin/sh
if [ "\$1" = --version ]; then
    echo 'Cuda compilation tools, release 13.0, V13.0.88'
    exit 0
fi
echo "\$@" >>"$dir/words"
while [ "\$1" != -o ]; do shift; done
cubin=\$2
$1
END_OF_SCRIPT
    chmod +x bin/nvcc
}
runs() {
    "$warplens" run "$program" --gpu h200 "$@" >out 2>err || fail "'$*' exits with $?: $(cat err)"
}
shows() {
    grep -q -- "$1" out || fail "the output lacks: $1; it is: $(cat out)"
}
says() {
    grep -q -- "$1" err || fail "expected: $1; it says: $(cat err)"
}
# instructions KERNEL: of its launches, one after another.
instructions() {
    tr '{' '\n' <out | awk -v kernel="$1" '/"kernel":"/ { on = index($0, "\"kernel\":\"" kernel "\"") }
        on && match($0, /"instructions":[0-9]*/) { printf "%s%s", n++ ? " " : "", substr($0, RSTART + 15, RLENGTH - 15) }'
}

# Nothing is asked when nothing is said.
stand_in "exit 1"
PATH=$dir/bin:$PATH runs
grep -q nvcc_loop words 2>/dev/null && fail "nvcc was asked without --nvcc"
shows 'registers unknown\|of the warps an SM'
runs --nvcc off
grep -q 'Kernels as compiled' out && fail "--nvcc off says of kernels"

# What it says.
stand_in "cp '$data/nvcc_loop.cubin' \"\$cubin\"; cat '$data/nvcc_loop.ptxas' >&2"
for asked in "$dir/bin/nvcc" auto nvcc; do
    : >words
    PATH=$dir/bin:$PATH runs --nvcc "$asked" -D SIZE=3 -I "$dir"
    shows '^Kernels as compiled by nvcc 13.0.88 for sm_90, registers a thread: fill 10, fill 10, sum 16, copy 10\.$'
    [ "$(wc -l <words)" -eq 1 ] || fail "nvcc compiles more than once: $(cat words)"
    grep -q -- "-arch=sm_90 .* -DSIZE=3 -I$dir .*nvcc_loop.cu$" words || fail "nvcc's words: $(cat words)"
done
runs --nvcc bin/nvcc --format json
shows '"nvcc":"nvcc 13.0.88 for sm_90, registers'
shows '"registers_per_thread":10'
if [ "$(uname -m)" = x86_64 ] && [ "$2" = g++ ]; then
    # As many as the machine code has, to a rounding for each block: 16; 30 beside 16 rounds of four iterations, 16 each; 8.
    for kernel in copy=16 sum=287 "fill=8 8"; do
        case "$(instructions "${kernel%%=*}") " in
        "${kernel#*=} "*) ;; # then come those of the program's lines
        *) fail "instructions of ${kernel%%=*}: $(instructions "${kernel%%=*}"), not ${kernel#*=}" ;;
        esac
    done
fi
runs --nvcc bin/nvcc --registers 40 --format json
shows '"registers_per_thread":40'
"$warplens" trace record "$program" --nvcc bin/nvcc --format text -o ./trace >out 2>err || fail "trace: $(cat err)"
grep -q '^launch sum .*registers=16' ./trace && grep -q '^launch fill .*registers=10' ./trace || fail "the trace has other registers"
"$warplens" run ./trace --gpu h200 >out 2>err || fail "the trace: $(cat err)"
shows '^Kernels as compiled by nvcc 13.0.88'

# Each instance of a template is told apart, though a launch does not name it.
stand_in "cp '$data/nvcc_loop.cubin' \"\$cubin\"; awk '/_Z4fillIdEvPT_S0_/ { on = 1 } on && sub(/Used 10/, \"Used 12\") { on = 0 } 1' '$data/nvcc_loop.ptxas' >&2"
"$warplens" trace record "$program" --nvcc bin/nvcc --format text -o ./trace >out 2>err || fail "trace: $(cat err)"
[ "$(grep '^launch fill' ./trace | grep -o 'registers=[0-9]*' | tr '\n' ' ')" = 'registers=10 registers=12 ' ] ||
    fail "instances of fill: $(grep '^launch fill' ./trace)"

# A kernel that spills; one without code; code that is none.
stand_in "echo no cubin >\"\$cubin\"; sed 's/0 bytes spill stores/24 bytes spill stores/' '$data/nvcc_loop.ptxas' >&2"
runs --nvcc bin/nvcc
shows 'sum 16 (24 bytes spilled), copy'

# What it refuses, and what it does not say, is told in one line, and the run goes on.
stand_in "echo 'k.cu(7): warning: x'; echo 'k.cu(9): error: no such thing' >&2; echo 'more' >&2; exit 2"
runs --nvcc bin/nvcc
says 'warplens run: --nvcc: bin/nvcc does not compile .*nvcc_loop.cu, which stays as estimated: k.cu(9): error: no such thing'
[ "$(wc -l <err)" -eq 1 ] || fail "more than a line: $(cat err)"
grep -q 'Kernels as compiled' out && fail "it says of kernels that were refused"
stand_in ": >\"\$cubin\""
runs --nvcc bin/nvcc
says 'bin/nvcc says nothing of kernels'
printf '#!/bin/sh\necho hello\n' >bin/nvcc
runs --nvcc bin/nvcc
says 'bin/nvcc does not say which nvcc it is'

# Where there is none.
"$warplens" run "$program" --nvcc "$dir/nowhere" >out 2>err
[ $? -eq 2 ] || fail "--nvcc of no program is no error"
is_message '--nvcc nowhere' "--nvcc $dir/nowhere: there is no such program"
"$warplens" run "$program" --nvcc '' >out 2>err
is_message "--nvcc ''" "allowed is auto, off, or the path of NVIDIA's compiler"
rm bin/nvcc
if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
    CUDA_PATH='' CUDA_HOME='' runs --nvcc auto
    says '^warplens run: --nvcc auto: no nvcc on PATH, below CUDA_PATH or CUDA_HOME, or in /usr/local/cuda/bin: '
fi
exit $failed

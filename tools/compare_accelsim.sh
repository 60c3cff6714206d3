#!/bin/sh
# compare_accelsim.sh [-n ELEMENTS] [-s SIDE] ACCELSIM_DIR [WORK...] - how long warplens and Accel-Sim take for the same accesses, and how
# many cycles each says that they take.
#
# ACCELSIM_DIR is the folder of an Accel-Sim that is built (its README says how), run with its configuration SM7_QV100; warplens models its
# v100. A WORK is a kernel of the gallery, with its parameters: matrixMul:hA=64,wA=64,wB=64. Without one: a copy of ELEMENTS
# (default 262144), a copy with each lane in a line of its own, a product of matrices of SIDE by SIDE (default 128; a multiple of 16) and a
# reduction.
#
# Both read one and the same export (docs/trace-import.md, Writing for Accel-Sim); running the kernel and writing the export counts
# for neither. A row is printed when it is done. WARPLENS names the command (build/warplens).
#
#     sh tools/compare_accelsim.sh -n 65536 ~/accel-sim-framework
set -eu
usage='usage: compare_accelsim.sh [-n ELEMENTS] [-s SIDE] ACCELSIM_DIR [WORK...]'
elements=262144
side=128

fail() {
    echo "compare_accelsim.sh: $*" >&2
    exit 2
}

# number OPTION VALUE
number() {
    case $2 in '' | *[!0-9]*) fail "$1 $2: allowed is a whole number" ;; esac
}

while getopts n:s: option; do
    case $option in
    n) number -n "$OPTARG" && elements=$OPTARG ;;
    s) number -s "$OPTARG" && side=$OPTARG ;;
    *) exit 2 ;; # getopts has said why
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || fail "$usage"

# ---- What is needed ---------------------------------------------------------------------------------

[ -d "$1" ] || fail "$1: no such folder; it has to be that of a built Accel-Sim"
accelsim=$(cd "$1" && pwd)
shift
program=$accelsim/gpu-simulator/bin/release/accel-sim.out
gpu_config=$accelsim/gpu-simulator/gpgpu-sim/configs/tested-cfgs/SM7_QV100/gpgpusim.config
trace_config=$accelsim/gpu-simulator/configs/tested-cfgs/SM7_QV100/trace.config
[ -x "$program" ] || fail "$accelsim: no program gpu-simulator/bin/release/accel-sim.out; build Accel-Sim as its README says"
for file in "$gpu_config" "$trace_config"; do
    [ -f "$file" ] || fail "$accelsim: no file ${file#"$accelsim"/}; build Accel-Sim as its README says"
done
warplens=${WARPLENS:-build/warplens}
warplens=$(command -v "$warplens") || fail "no program ${WARPLENS:-build/warplens}; build warplens, or name it in WARPLENS"
case $warplens in /*) ;; *) warplens=$PWD/$warplens ;; esac
command -v python3 >/dev/null || fail "no python3, which takes the times; install it"
[ $# -gt 0 ] || set -- "offsetCopy:n=$elements,offset=0" "strideCopy:n=$elements,stride=32" \
    "matrixMul:hA=$side,wA=$side,wB=$side" "reduce2:n=$elements"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# ---- One work -----------------------------------------------------------------------------------------

# Runs a command, its output in a file, and prints the seconds of processor time and the MB that it took at most. The
# memory of a bare python3, about 8 MB, is the least that it can say; both simulators take more.
measure=$(
    cat <<'PYTHON'
import os, sys
pid = os.fork()
if pid == 0:
    out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.execv(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(pid, 0)
print(f"{used.ru_utime + used.ru_stime:.3f} {used.ru_maxrss / 1024:.1f}")
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
PYTHON
)

# export_work WORK: the traces of a kernel, in $work/traces
export_work() {
    name=${1%%:*}
    parameters=$(printf %s "${1#"$name"}" | tr ':,' '  ')
    rm -rf "$work/traces"
    options=
    for parameter in $parameters; do
        options="$options -p $parameter"
    done
    # shellcheck disable=SC2086 # one word each
    "$warplens" trace record "$name" $options --format accelsim -o "$work/traces" 2>"$work/message" ||
        fail "$1: $(cat "$work/message")"
}

# counter NAME: of warplens's report, over all kernels
counter() {
    awk -F, -v name="$1" '$(NF - 4) == "kernel" && $(NF - 2) == name { sum += $NF } END { printf "%d", sum }' "$work/warplens.out"
}

# run_warplens WORK
run_warplens() {
    warplens_used=$(python3 -I -S -c "$measure" "$work/warplens.out" "$warplens" run "$work/traces/kernelslist.g" --gpu v100 --format csv) ||
        fail "$1: warplens: $(tail -n 1 "$work/warplens.out")"
    accesses=$(counter warp_accesses)
    warplens_cycles=$(counter elapsed_cycles)
}

# Accel-Sim writes files where it runs, and may look there for those that lie beside its configuration.
# run_accelsim WORK
run_accelsim() {
    rm -rf "$work/folder"
    cp -r "$(dirname "$gpu_config")" "$work/folder"
    status=0
    accelsim_used=$(cd "$work/folder" && python3 -I -S -c "$measure" "$work/accelsim.out" "$program" -trace "$work/traces/kernelslist.g" \
        -config "$gpu_config" -config "$trace_config") || status=$?
    [ "$status" -eq 0 ] || fail "$1: Accel-Sim ended with status $status: $(tail -n 1 "$work/accelsim.out")"
    accelsim_cycles=$(sed -n 's/^gpu_tot_sim_cycle *= *\([0-9][0-9]*\).*/\1/p' "$work/accelsim.out" | tail -n 1)
    [ -n "$accelsim_cycles" ] || fail "$1: Accel-Sim printed no line gpu_tot_sim_cycle = N; is it the trace-driven one?"
}

# row CELL...: the first one is a name
row() {
    printf '| %-36s |' "$1"
    shift
    printf ' %17s |' "$@"
    echo
}

# by A B: how many times B is A
by() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (a > 0) printf "%.2f", b / a; else printf "-" }'
}

has_head=
for each; do
    export_work "$each"
    run_warplens "$each"
    run_accelsim "$each"
    if [ -z "$has_head" ]; then
        row work 'warp accesses' 'warplens, CPU s' 'Accel-Sim, CPU s' ratio 'warplens, MB' 'Accel-Sim, MB' 'warplens, cycles' 'Accel-Sim, cycles' ratio
        echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
        has_head=yes
    fi
    row "$each" "$accesses" "${warplens_used% *}" "${accelsim_used% *}" "$(by "${warplens_used% *}" "${accelsim_used% *}")" \
        "${warplens_used#* }" "${accelsim_used#* }" "$warplens_cycles" "$accelsim_cycles" "$(by "$warplens_cycles" "$accelsim_cycles")"
done

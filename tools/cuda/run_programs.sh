#!/bin/sh
# Runs programs of tests/cu on a GPU as nvcc compiles them: what they check of warplens is then checked of CUDA. A program
# that asks for what is warplens's own (messages, an order of the blocks) may not pass there.
#
#   sh tools/cuda/run_programs.sh [sm_90] [NAME...]    # cooperative graph_nodes graphs groups launch_forms
set -u
cd "$(dirname "$0")/../.." || exit 1
arch=${1:-sm_90}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- cooperative graph_nodes graphs groups launch_forms
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
for name in "$@"; do
    nvcc -std=c++17 -arch="$arch" -I tests/cu -o "$work/program" "tests/cu/$name.cu" -lcublas 2>"$work/log" ||
        { echo "$name: nvcc: $(grep -m 1 error "$work/log")"; failed=1; continue; }
    "$work/program" >"$work/out" 2>&1
    if [ "$(tail -n 1 "$work/out")" = PASSED ]; then
        echo "$name: passed"
    else
        echo "$name: $(tail -n 1 "$work/out")"
        failed=1
    fi
done
exit $failed

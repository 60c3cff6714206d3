#!/bin/sh
# check_programs.sh [ARCH] - do the programs that say what device code means (tests/cu: PTX, lanes of a word, small formats)
# find the same on a GPU? Compiles them with nvcc for ARCH (default native) and runs them; each ends
# with PASSED.
set -u
arch=${1:-native}
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
for name in ptx ptx_memory simd small_floats; do
    nvcc -arch="$arch" -std=c++17 -w -I tests/cu -o "$dir/$name" "tests/cu/$name.cu" || { failed=1; continue; }
    "$dir/$name" >"$dir/out" 2>&1
    last=$(tail -n 1 "$dir/out")
    echo "$name: $last"
    [ "$last" = PASSED ] || failed=1
done
exit $failed

#!/bin/sh
# Installs what is missing, builds, and shows the main job: three matrix transposes, side by side on
# four generations of GPUs.
set -eu
cd "$(dirname "$0")/.."
sh tools/setup.sh
build=${WARPLENS_BUILD:-build}
[ -f "$build/build.ninja" ] || meson setup "$build" --buildtype=release >/dev/null
ninja -C "$build" warplens >/dev/null
"$build/warplens" compare transpose_naive,transpose,transposeDiagonal \
    --gpu gtx280,m2090,gtx1080ti,h200 \
    --counters global_load_bytes_moved,global_store_transactions,global_store_bytes_moved,gst_efficiency,shared_load_passes,shared_conflict_ways
cat <<'EOF'

The naive kernel stores columns: a transaction a lane on the GTX 280, a 32-byte sector a lane later.
Staging a tile in shared memory makes loads and stores whole. Its 17-word rows are free of bank
conflicts on 16 banks; on 32 banks a warp spans two rows, and the same padding is 2-way: the 32x33
tile of the diagonal kernel is not. The diagonal kernel moves the same bytes; what it changes on the
GTX 280 is which DRAM partitions are busy at the same time:

EOF
for kernel in transposeNoBankConflicts transposeDiagonal; do
    echo "$kernel, blocks 0 to 5 on gtx280:"
    "$build/warplens" run "$kernel" --gpu gtx280 --blocks 0-5 --full | sed -n '/^ *block  blockIdx/,/^$/p'
done
echo "Next: $build/warplens --help, docs/tutorial.md"

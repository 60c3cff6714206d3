#!/bin/sh
# Records the expected output of every golden command anew. Read the diff before you commit it.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
sh tests/golden.sh "$build/warplens" tests/golden record
for name in counters gpus kernels; do
    "$build/warplens" $name --format markdown -o docs/$name.md
done

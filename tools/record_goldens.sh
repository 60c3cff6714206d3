#!/bin/sh
# Records the expected output of every golden command anew. Read the diff before you commit it.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
for commands in commands commands_time; do
    sh tests/golden.sh "$build/warplens" tests/golden/$commands record
done
for file in README.md docs/tutorial.md docs/model.md docs/programs.md docs/sweeps.md docs/validate.md docs/gate.md \
    docs/grading.md docs/advise.md docs/check.md docs/course/*.md; do
    python3 tests/console_blocks.py "$build/warplens" "$file" --update
done
"$build/tests/test_figure_timeline" print >tests/golden/timeline.svg
python3 tests/adding.py . --update
sh tools/playground.sh
for name in counters gpus kernels; do
    "$build/warplens" $name --format markdown -o docs/$name.md
done

#!/bin/sh
# gate.sh [FOLDER] - what a CI job runs: fails with status 3 when a kernel's memory accesses are worse than
# they may be. WARPLENS: the program, when it is not in PATH; BASELINE: the result that is kept under version
# control. JUnit files for the CI system to show go to the folder.
set -u
warplens=${WARPLENS:-warplens}
out=${1:-.}
baseline=${BASELINE:-$out/baseline.json}
status=0
cd "$(dirname "$0")/../cuda" || exit 1

# Limits of our own, under an old GPU and a new one: what the tiled transpose is for.
"$warplens" gate transpose.cu --gpu gtx280,h200 --rules-only \
    --min 'kernel tiled<1>:gst_efficiency=100' \
    --max 'array tile:shared_load_conflicts=0' \
    --junit "$out/limits.xml" -- 128 || status=$?

# No worse than before. The first run makes the baseline; make it anew when a change is meant.
if [ ! -f "$baseline" ]; then
    "$warplens" run transpose.cu --gpu h200 --format json -o "$baseline" -- 128 || exit
fi
"$warplens" gate transpose.cu --baseline "$baseline" \
    --junit "$out/baseline.xml" -- 128 || status=$?
exit $status

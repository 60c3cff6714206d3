#!/bin/sh
# One report, whoever works on it: the same bytes for -j 1, 2 and 8, and the times of the model that answers every
# request at once (with --timeline it does).
# Usage: sh jobs.sh WARPLENS
set -eu
warplens=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name, GPUs, parameters
compare() {
    kernel=$1 gpus=$2
    shift 2
    for jobs in 1 2 8; do
        "$warplens" run "$kernel" --gpu "$gpus" "$@" -j $jobs --format json >"$work/$jobs.json"
    done
    for jobs in 2 8; do
        cmp "$work/1.json" "$work/$jobs.json" || {
            echo "$kernel on $gpus: -j $jobs differs from -j 1"
            exit 1
        }
    done
    elapsed() { grep -o '"elapsed_cycles":[0-9]*' "$1" | head -n 1; }
    case $gpus in *,*) return ;; esac
    "$warplens" run "$kernel" --gpu "$gpus" "$@" --timeline --format json >"$work/at_once.json"
    if [ "$(elapsed "$work/1.json")" != "$(elapsed "$work/at_once.json")" ]; then
        echo "$kernel on $gpus: $(elapsed "$work/1.json"), each request answered at once: $(elapsed "$work/at_once.json")"
        exit 1
    fi
}

for gpu in gtx280 m2090 h200; do
    compare transposeNaive $gpu
    compare matrixMul $gpu
    compare zeroCopyStride $gpu -p n=16k
done
compare constantTable h200 -p blocks=16
compare hashedLoad h200
compare localSpill v100
compare reduce2 gtx280,h200
echo "the same for any number of jobs"

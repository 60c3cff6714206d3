#!/bin/sh
# Does tools/compare_accelsim.sh give both simulators the same accesses, and print what each says of them? In place of
# Accel-Sim stands a program that takes its command line, and whose reader is accelsim_accepts.py.
# Usage: compare_accelsim.sh WARPLENS COMPARE PYTHON ACCELSIM_ACCEPTS
set -eu
WARPLENS=$1
compare=$2
python=$3
accepts=$4
export WARPLENS
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT
accelsim="$directory/accel sim" # a folder's name may hold a space
configs=gpu-simulator/gpgpu-sim/configs/tested-cfgs/SM7_QV100
trace_configs=gpu-simulator/configs/tested-cfgs/SM7_QV100

# stand_in LINES: what the stand-in does behind its checks
stand_in() {
    rm -rf "$accelsim"
    mkdir -p "$accelsim/gpu-simulator/bin/release" "$accelsim/$configs" "$accelsim/$trace_configs"
    echo network >"$accelsim/$configs/config_volta_islip.icnt"
    : >"$accelsim/$configs/gpgpusim.config"
    : >"$accelsim/$trace_configs/trace.config"
    cat >"$accelsim/gpu-simulator/bin/release/accel-sim.out" <<END
#!/bin/sh
[ "\$*" = "-trace \$2 -config $accelsim/$configs/gpgpusim.config -config $accelsim/$trace_configs/trace.config" ] || exit 3
[ -f config_volta_islip.icnt ] || exit 4
"$python" "$accepts" "\$2" || exit 5
$1
END
    chmod +x "$accelsim/gpu-simulator/bin/release/accel-sim.out"
}

# refused MESSAGE ARGUMENT...: one line that holds MESSAGE, and no table
refused() {
    message=$1
    shift
    if sh "$compare" "$@" >"$directory/out" 2>"$directory/message"; then
        echo "not refused: $*"
        exit 1
    fi
    if [ -s "$directory/out" ] || [ "$(wc -l <"$directory/message")" -ne 1 ] || ! grep -qF -- "$message" "$directory/message"; then
        echo "expected one line with '$message':"
        cat "$directory/out" "$directory/message"
        exit 1
    fi
}

# cells WORK N...: of the row that begins so
cells() {
    row=$1
    shift
    grep -F "| $row " "$directory/out" | awk -F '|' -v wanted="$*" '{
        count = split(wanted, column, " ")
        for (i = 1; i <= count; i++) { gsub(/ /, "", $(column[i] + 1)); printf "%s%s", $(column[i] + 1), i < count ? " " : "\n" }
    }'
}

# same WHAT GOT WANTED
same() {
    if [ "$2" != "$3" ]; then
        echo "$1: '$2', and not '$3'"
        cat "$directory/out"
        exit 1
    fi
}

# Sums over launches: the last one counts. 2 x 128 blocks of 8 warps, each a load and a store.
stand_in 'echo "gpu_tot_sim_cycle = 17"; echo "gpu_tot_sim_cycle = 123456"'
sh "$compare" "$accelsim" offsetCopy:n=65536,offset=0 sameWord >"$directory/out"
same accesses "$(cells offsetCopy:n=65536,offset=0 2)" 4096
cycles=$("$WARPLENS" run offsetCopy -p n=65536 -p offset=0 --gpu v100 --format csv | sed -n 's/.*,kernel,,elapsed_cycles,cycles,//p')
same cycles "$(cells offsetCopy:n=65536,offset=0 8 9)" "$cycles 123456"
same rows "$(wc -l <"$directory/out")" 4
cells sameWord 3 4 5 6 7 | awk '{ exit !($1 > 0 && $2 > 0 && $3 > 0 && $4 > 5 && $5 > 5) }' ||
    { echo "no times or no memory: $(cells sameWord 3 4 5 6 7)"; exit 1; }

# Sizes of the works that it has itself.
sh "$compare" -n 1024 -s 16 "$accelsim" >"$directory/out"
same copy "$(cells offsetCopy:n=1024,offset=0 2)" 64
same scatter "$(cells strideCopy:n=1024,stride=32 2)" 64
same product "$(cells matrixMul:hA=16,wA=16,wB=16 2)" $((8 * (2 + 2 + 32 + 1)))
cells reduce2:n=1024 2 | grep -q '^[1-9]' || { echo "no reduction"; exit 1; }

refused 'usage: compare_accelsim.sh'
refused "-n many: allowed is a whole number" -n many "$accelsim"
refused "unknown kernel noSuchKernel" "$accelsim" noSuchKernel
refused "multiples of 64" "$accelsim" offsetCopy:n=65
stand_in 'echo "assertion failed"; exit 134'
refused "sameWord: Accel-Sim ended with status 134: assertion failed" "$accelsim" sameWord
stand_in 'kill -ABRT $$'
refused "sameWord: Accel-Sim ended with status 134" "$accelsim" sameWord
stand_in 'echo done'
refused "sameWord: Accel-Sim printed no line gpu_tot_sim_cycle = N" "$accelsim" sameWord
rm "$accelsim/$trace_configs/trace.config"
refused "no file $trace_configs/trace.config" "$accelsim"
rm "$accelsim/gpu-simulator/bin/release/accel-sim.out"
refused "no program gpu-simulator/bin/release/accel-sim.out" "$accelsim"
refused "/nonexistent: no such folder" /nonexistent

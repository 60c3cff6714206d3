#!/bin/sh
# cli.sh WARPLENS - what a person meets at the command line: exit statuses, one message an error,
# nothing on standard output when a command fails, files whole or untouched, the same bytes twice.
set -u
warplens=$1
. "$(dirname "$0")/checks.sh"

# refuses STATUS PATTERN ARGUMENTS...: the exit status, one line of message that matches, no output.
refuses() {
    want=$1 pattern=$2
    shift 2
    "$warplens" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$want" ] || fail "'$*' exits with $status, not $want"
    is_message "$*" "$pattern"
}

# accepts ARGUMENTS...: exit 0, nothing on standard error, output in $dir/out.
accepts() {
    "$warplens" "$@" >"$dir/out" 2>"$dir/err" || fail "'$*' exits with $?: $(cat "$dir/err")"
    [ -s "$dir/err" ] && fail "'$*' wrote a message: $(cat "$dir/err")"
    [ -s "$dir/out" ] || fail "'$*' wrote nothing"
}

# Names
refuses 2 'unknown command compar; did you mean compare' compar
refuses 2 'unknown kernel offsetCopi; did you mean offsetCopy' run offsetCopi
refuses 2 'unknown GPU gtx28; did you mean gtx280' run offsetCopy --gpu gtx28
refuses 2 'takes one kernel' advise copy,vec3d
refuses 2 'text or json' advise copy --format csv
refuses 1 'No such file' advise nosuch.wlt
refuses 2 'unknown GPU sm_40; there are no rules of sm_40: the nearest are sm_37 and sm_50' run offsetCopy --gpu sm_40
refuses 2 'rtx3080?; sm_86 has its rules, with the sizes of rtx3090, and --arch-file takes' run offsetCopy --gpu rtx3050
refuses 2 'unknown GPU nosuch; sm_86, say, has the rules of compute capability 8.6' gpus nosuch
refuses 2 'unknown parameter of offsetCopy; did you mean offset' run offsetCopy -p ofset=1
refuses 2 'unknown counter gld_effi; did you mean gld_efficiency' counters gld_effi
refuses 2 'unknown counter nonsense' compare offsetCopy --counters gld_efficiency,nonsense
refuses 2 'unknown field; did you mean sm_count' run offsetCopy --set sm_cout=3
refuses 2 'unknown option --gpus; did you mean --gpu' run offsetCopy --gpus gtx280
refuses 2 'l2_slices must be a multiple of dram_partitions' run offsetCopy --set dram_partitions=40
refuses 2 'must both be 0' run offsetCopy --set l2_bytes=0
refuses 2 'partition_bytes and dram_row_bytes must be powers of two' run offsetCopy --set partition_bytes=300
refuses 2 'dram_access_bytes must be 32, 64 or 128' run offsetCopy --set dram_access_bytes=96
refuses 2 'dram_latency_cycles must not be below' run offsetCopy --set dram_latency_cycles=100
refuses 2 'm2090: an L1 of lines of 128 bytes .*l1_bytes 0' run offsetCopy --gpu m2090 --set sm=13
for way in l1_bytes=0 l1_sector_bytes=32 sm=20; do
    accepts run offsetCopy --gpu m2090 --set sm=13 --set $way
done
printf 'name = mine\nbase = m2050\nsm = 11\n' >"$dir/sm11.gpu"
refuses 2 'mine: an L1 of lines of 128 bytes' run offsetCopy --arch-file "$dir/sm11.gpu"
refuses 2 'rules-only takes no value' run offsetCopy --rules-only=1
refuses 2 'offset=2000: allowed for offsetCopy is 0 to 1024' compare offsetCopy -p offset=0,2000
refuses 2 'offset=: allowed' compare offsetCopy -p offset=0,,1
refuses 2 'unknown parameter of copy' compare copy -p offset=0,1
accepts compare timedReduction -p blocks=1,16 --gpu 8800gtx
refuses 2 'unknown option --blocks' compare offsetCopy --blocks 0-1
refuses 2 'names no kernel' run
refuses 2 'unknown kernel nothing' explain nothing:3
refuses 2 'a line from 1 on' explain transpose:abc
refuses 2 'lines of transpose that have: 38, 46' explain transpose:40
copies=$(grep -n 'COPY_ASYNC_CG(toA' "$(dirname "$0")/../traces/async.c" | head -n 1)
accepts explain "tilesAsync:${copies%%:*}"
refuses 2 'asynchronous or bulk copies (cp.async), for which no changes can be tried' advise tilesDouble
refuses 2 "nearest 'global'" explain 'ld.globl.f32'
refuses 2 "is a profiler's counter" compare transpose --counters gst_transactions
refuses 2 'empty name' run offsetCopy --gpu gtx280,

# Values
refuses 2 'allowed for offsetCopy is 0 to 1024' run offsetCopy -p offset=-1
refuses 2 'allowed for offsetCopy is 0 to 1024' run offsetCopy -p offset=1025
refuses 2 'allowed for offsetCopy is 0 to 1024' run offsetCopy -p offset=x
refuses 2 'in multiples of 32' run offsetCopy -p block=0
refuses 2 'in multiples of 32' run offsetCopy -p block=33
refuses 2 'gtx280 allows 1 to 512' run offsetCopy --gpu gtx280 -p block=1024
refuses 2 'name=value' run offsetCopy -p offset
refuses 2 'allowed is text, json, csv or html' run offsetCopy --format xml
refuses 2 'allowed is text, json, csv or html' run offsetCopy --format markdown
refuses 2 'allowed is text, json or svg' explain 'ld.global.f32' --format csv
accepts explain 'ld.global.f32 base=4' --gpu gtx280,h200 --format svg
grep -q '^<svg .*width="752"' "$dir/out" || fail 'no picture of an access'
refuses 2 'allowed is text or markdown' kernels --format json
refuses 2 'allowed is 1 to 1024' run offsetCopy --set sm_count=0
refuses 2 'l2_bytes=2G: allowed is 0 to 1073741824 (bytes: ' run offsetCopy --set l2_bytes=2G
refuses 2 'sm_clock_khz=1M: allowed is 100000 to 5000000 without a suffix (kHz: ' run offsetCopy --set sm_clock_khz=1M
refuses 2 'allowed is text, markdown, json or arch-file' gpus h200 --format csv
refuses 2 'needs the name of one GPU' gpus --format arch-file
refuses 2 'allowed is 1 to 255' run offsetCopy --registers 0
refuses 2 'first-last' run offsetCopy --blocks 5-2
refuses 2 'the index of a block' run offsetCopy --timeline-block x
refuses 2 'the index of a block' run offsetCopy --timeline-block -1
refuses 2 'leave --rules-only out' run offsetCopy --timeline --rules-only
refuses 2 'no CUDA program, and takes no arguments' run offsetCopy -- 12
refuses 2 'leave --format json out' run offsetCopy --picture banks --format json
: >"$dir/empty.cu"
refuses 2 'takes one of its lines' explain "$dir/empty.cu"
refuses 2 'has no main()' run "$dir/empty.cu"
refuses 2 'the system takes 16 more' run sharedAtomics --gpu gtx280
refuses 2 'use --format text, json or html' run offsetCopy --timeline --format csv
refuses 2 'unknown option --timeline' compare offsetCopy --timeline
refuses 2 '--timeline-block 77: the grid of offsetCopy has blocks 0 to 3' run offsetCopy -p n=1024 --timeline-block 77
refuses 2 '--gpu needs a value' run offsetCopy --gpu
refuses 2 'empty name' run offsetCopy --gpu gtx280,,h200
refuses 2 'n=320 is no multiple of block=256' run offsetCopy -p n=320
refuses 2 'for want of registers' run transpose --gpu gtx280 --registers 124
refuses 2 'gtx280 allows 1 to 124' run transpose --gpu gtx280 --registers 125
refuses 2 'there are rules for' run offsetCopy --set sm=14
refuses 2 'has blocks 0 to 255' run transpose -p width=256 -p height=256 --gpu gtx280 --blocks 99999

# Help and lists
accepts --help
accepts --version
accepts help
"$warplens" --help | cmp -s - "$dir/out" || fail "help and --help differ"
accepts help compare
"$warplens" compare --help | cmp -s - "$dir/out" || fail "'help compare' and 'compare --help' differ"
refuses 2 'unknown command compar; did you mean compare' help compar
refuses 2 'one command at most' help run compare
refuses 2 'unknown option --gpu' help --gpu h200
for command in $("$warplens" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do accepts $command --help; done
accepts kernels
accepts gpus
accepts counters
accepts kernels transpose
accepts gpus sm_13
accepts counters gld_transactions
grep -q 'not a sector count' "$dir/out" || fail "counters gld_transactions lacks Pascal's meaning"
accepts run offsetCopy -p n=1k --gpu h200 --registers 16 --set l2_bytes=8M
accepts compare offsetCopy,strideCopy -p n=2048 --gpu sm_10,sm_13 --counters gld_efficiency

accepts run offsetCopy -p n=2048 --gpu m2090 --set l1_caches_global=0
grep -q 'changed *l1_caches_global=0' "$dir/out" || fail "a changed field is not reported"
[ -z "$("$warplens" kernels | sed -n 's/^  \([^ ]*\) .*/\1/p' | sort | uniq -d)" ] ||
    fail "two kernels of the gallery have one name"

# Advice on a trace that comes through a pipe is that on the kernel
"$warplens" advise vec3d -p n=4k --gpu m2090 -o "$dir/first" || fail "no advice on a kernel"
"$warplens" trace record vec3d -p n=4k | "$warplens" advise - --gpu m2090 -o "$dir/second" || fail "no advice on a trace"
cmp -s "$dir/first" "$dir/second" || fail "advice on a kernel and on its trace differ"

# Each thread walks a row of 12 words, rows 512 bytes apart; the same with lanes side by side. As many blocks as SMs
walk() {
    awk -v stride="$1" -v step="$2" 'BEGIN { print "warplens text trace 1\narray in bytes=983040 base=0x10000"
        print "site 0 ld.global.f32 file=rows.cu line=7 array=in\nlaunch rows grid=30 block=64"
        for (w = 0; w < 60; w++) {
            printf "block %d warp %d\n", w / 2, w % 2
            for (c = 0; c < 12; c++)
                printf "@0 ld.global.f32 base=%d stride=%d\n", 65536 + 32 * stride * w + step * c, stride
            print "end"
        }
    }'
}
walk 512 4 >"$dir/walk.wlt.txt"
accepts advise "$dir/walk.wlt.txt" --gpu gtx280
tr -s ' \n' ' ' <"$dir/out" >"$dir/words"
grep -q 'No cure was found: .* But there is waste: in (rows.cu:7) moves 8.0 x the sectors' "$dir/words" ||
    fail "a waste without a cure reads like an all-clear"
grep -q 'rows in (rows.cu:7): neighbouring lanes are 512 bytes apart and each walks along a row' "$dir/words" ||
    fail "a row for each lane is not recognised"
grep -q 'let neighbouring lanes take neighbouring elements' "$dir/words" || fail "rows have no remedy"
walk 512 32 >"$dir/walk.wlt.txt" # of each sector one word: no walk
accepts advise "$dir/walk.wlt.txt" --gpu gtx280
grep -q 'walks along' "$dir/out" && fail "every column is a row for each lane"
walk 4 512 >"$dir/walk.wlt.txt"
accepts advise "$dir/walk.wlt.txt" --gpu gtx280
tr -s ' \n' ' ' <"$dir/out" >"$dir/words"
grep -q 'Nothing worth changing was found: .* No access to global memory moves more than 1.5 x' "$dir/words" ||
    fail "a run without waste is not said to be one"
grep -q 'not tried' "$dir/words" && fail "rows are found where there are none"

# A GPU of the user's own
accepts gpus tegra_x1
accepts gpus h200 --format json
"$warplens" gpus gtx280 --format arch-file -o "$dir/my.gpu" || fail "an arch-file is not written"
accepts gpus --arch-file "$dir/my.gpu"
grep -q '^Files$' "$dir/out" && grep -q '^  my-gtx280 ' "$dir/out" || fail "the list of GPUs lacks the user's"
accepts gpus my-gtx280 --arch-file "$dir/my.gpu"
grep -q 'sm_count  *30  SMs  *\[user\]' "$dir/out" || fail "a user's value is not marked as one"
accepts run offsetCopy -p n=2048 --arch-file "$dir/my.gpu" --format csv
grep -v '^#' "$dir/out" | sed 's/my-gtx280/gtx280/' >"$dir/first"
"$warplens" run offsetCopy -p n=2048 --gpu gtx280 --format csv | grep -v '^#' >"$dir/second"
cmp -s "$dir/first" "$dir/second" || fail "a copy of the GTX 280 differs from it"
printf 'name = wide\nbase = gtx280 # and more\ndram_partitions = 16\n' >"$dir/wide.gpu"
accepts compare offsetCopy -p n=2048 --gpu wide,h200 --arch-file "$dir/my.gpu" --arch-file "$dir/wide.gpu"
grep -q '^offsetCopy  *unit  *wide  *h200  *my-gtx280' "$dir/out" || fail "users' GPUs stand in another order"
accepts explain 'ld.global.f32 base=4' --arch-file "$dir/wide.gpu"
accepts run offsetCopy -p n=2048 --rules-only --arch-file "$dir/wide.gpu"
grep -q '^  GPU  *based on gtx280; its own: dram_partitions$' "$dir/out" || fail "a report does not say what a GPU is based on"
accepts run offsetCopy -p n=2048 --rules-only --format json --arch-file "$dir/wide.gpu"
grep -q '"based_on":"gtx280"' "$dir/out" || fail "JSON does not say what a GPU is based on"
accepts gpus wide --arch-file "$dir/wide.gpu"
grep -q '^1 values of its own, 103 inherited from gtx280; ' "$dir/out" || fail "a user's values are not told from the base's"
accepts run offsetCopy -p n=2048 --rules-only --gpu sm_100,sm_120
grep -q '^offsetCopy on B200 (b200, rules of sm_70 to sm_90, unconfirmed here)$' "$dir/out" || fail "Blackwell's rules count as confirmed"
refuses 2 'another file has a GPU named wide' gpus --arch-file "$dir/wide.gpu" --arch-file "$dir/wide.gpu"
refuses 2 'unknown GPU wid; did you mean wide' run offsetCopy --gpu wid --arch-file "$dir/wide.gpu"
refuses 2 'at most 8 times' gpus $(for i in 1 2 3 4 5 6 7 8 9; do echo --arch-file x; done)
printf 'name = w\nbase = rtx3050\n' >"$dir/wide.gpu"
refuses 2 'wide.gpu:2: base = rtx3050: unknown GPU; did you mean rtx3060, rtx3070 or rtx3080?; sm_86 has its' gpus --arch-file "$dir/wide.gpu"
printf 'name = w\nbase = gtx280\nl2_bytes = 9000G\n' >"$dir/wide.gpu"
refuses 2 'wide.gpu:3: l2_bytes = 9000G: allowed is 0 to 1073741824 (bytes: ' gpus --arch-file "$dir/wide.gpu"
refuses 1 'Is a directory' run offsetCopy --arch-file "$dir"
refuses 1 'No such file' run offsetCopy --arch-file "$dir/none"
refuses 2 'is empty' explain 'ld.global.f32' --arch-file /dev/null
# Compute capabilities whose half-warps cannot be served by the base's L1; those that fit run.
printf 'name = mine\ntitle = mine\nbase = m2050\nsm = 11\n' >"$dir/sm11.gpu"
printf 'name = mine\nbase = m2090\nsm = 13\n' >"$dir/sm13.gpu"
for file in sm11 sm13; do
    refuses 2 'sm must be 20 or more, or l1_bytes 0, or l1_sector_bytes 32' run offsetCopy --arch-file "$dir/$file.gpu"
    echo 'l1_bytes = 0' >>"$dir/$file.gpu"
    accepts run offsetCopy -p n=2048 --arch-file "$dir/$file.gpu"
done
refuses 2 'sm must be 20 or more' run offsetCopy --gpu m2090 --set sm=13
rm "$dir/my.gpu" "$dir/wide.gpu" "$dir/sm11.gpu" "$dir/sm13.gpu"

# Files
echo old >"$dir/report"
accepts run offsetCopy -p n=2048
cp "$dir/out" "$dir/stdout"
"$warplens" run offsetCopy -p n=2048 -o "$dir/report" || fail "run -o exits with $?"
cmp -s "$dir/stdout" "$dir/report" || fail "run -o differs from standard output"
echo old >"$dir/report"
refuses 2 'unknown kernel' run nothing -o "$dir/report"
grep -q '^old$' "$dir/report" || fail "a failed run touched its -o file"
refuses 1 'No such file' run offsetCopy -p n=2048 -o "$dir/none/report"
refuses 1 'standard input: cannot read: ' trace info --from binary - </
refuses 1 'standard input: cannot read: ' run --from binary - </
awk 'BEGIN { print "warplens text trace 1"
    for (i = 0; i < 40000; i++) printf "site %d ld.global.f32 file=a.cu line=%d array=\"\"\n", i, i
    print "launch k grid=1 block=32\nblock 0 warp 0\n@1 ld.global.f32 base=4096\nend" }' >"$dir/many.wlt.txt"
refuses 2 'joined to those before: .*site 65535: at most 65535' \
    trace convert "$dir/many.wlt.txt" "$dir/many.wlt.txt" -o "$dir/joined.wlt"
# What a form of traces cannot hold is said in the writer's words.
printf 'warplens text trace 1\narray " a" bytes=8192 base=0x100000\nlaunch k grid=1 block=32\nall warps\nld.global.f32 base=0x100000\nend\n' >"$dir/name.wlt.txt"
refuses 2 'warplens trace: a name with a control character, or a blank at its begin' \
    trace convert "$dir/name.wlt.txt" -o "$dir/name.csv"
if [ -e /dev/full ]; then
    refuses 1 'No space left' run offsetCopy -p n=2048 -o /dev/full
    "$warplens" run offsetCopy -p n=2048 >/dev/full 2>"$dir/err"
    [ $? -eq 1 ] || fail "a full standard output does not exit 1"
fi
( "$warplens" compare offsetCopy -p n=2048 --counters all 2>"$dir/err"; echo $? >"$dir/status" ) | true
case $(cat "$dir/status") in 0 | 1) ;; *) fail "a closed pipe exits with $(cat "$dir/status")" ;; esac
( ulimit -f 1; trap '' XFSZ; "$warplens" run offsetCopy -p n=2048 --format csv -o "$dir/report" 2>"$dir/err"
  [ $? -eq 1 ] ) || fail "a file over its limit does not exit 1"
grep -q '^old$' "$dir/report" || fail "a file over its limit touched the old one"
[ "$(ls "$dir" | grep -c '^report')" -eq 1 ] || fail "partial files are left: $(ls "$dir")"

# What tools/demo.sh takes out of reports: two tables of six blocks.
sed -n '/^for kernel/,/^done/p' "$(dirname "$0")/../tools/demo.sh" >"$dir/demo"
build=$(dirname "$warplens") sh "$dir/demo" >"$dir/out" || fail "the demo's tables: exit $?"
[ "$(grep -c '^ *[0-5]  ([0-9]*,[0-9]*,0)' "$dir/out")" -eq 12 ] || fail "the demo's tables are not there"

# The same bytes, twice and without address randomisation
for format in text json csv; do
    for kernel in 'transpose -p width=256 -p height=256' reduce4 localDynamic constantPerLane \
        'reduceGmem -p n=64k'; do
        "$warplens" run $kernel --gpu gtx280,h200 --format $format >"$dir/first" || fail "run $kernel"
        "$warplens" run $kernel --gpu gtx280,h200 --format $format >"$dir/second"
        cmp -s "$dir/first" "$dir/second" || fail "$kernel as $format differs from itself"
        if setarch -R true 2>/dev/null; then
            setarch -R "$warplens" run $kernel --gpu gtx280,h200 --format $format >"$dir/second"
            cmp -s "$dir/first" "$dir/second" || fail "$kernel as $format differs under setarch -R"
        fi
    done
done

# Well-formed JSON, where there is something to check it with
if command -v python3 >/dev/null; then
    "$warplens" run strideCopy,reduce1 -p n=3072 --gpu gtx280,h200 --blocks 0-3 --timeline --format json |
        python3 -c 'import json,sys
d = json.load(sys.stdin)
assert d["schema"] == 1 and len(d["runs"]) == 4
for r in d["runs"]:
    for name, value in r["counters"].items():
        whole = ("launches", "blocks", "warps", "instructions", "barrier", "elapsed_", "limited_",
                 "resident_", "warp_room_", "hottest_", "mean_")
        if not name.startswith(whole) or name == "warp_accesses":
            assert value == sum(l["counters"].get(name, 0) for l in r["lines"]), name
            assert value == sum(a["counters"].get(name, 0) for a in r["arrays"]), name
    steps = r["timeline"]
    waits = [s[w] for s in steps for w in ("waits_for_loads", "waits_for_unit") if w in s]
    assert {s["warp"] for s in steps} == set(range(r["timeline_block"]["warps"]))
    assert all(s["data"][0] > s["unit"][0] for s in steps if s["step"] == "load")
    assert waits and all(0 <= first <= last for first, last in waits)
    if r["partitions"]:
        moved = r["counters"]["global_load_bytes_moved"]
        assert moved == sum(p["bytes_read"] for p in r["partitions"])' ||
        fail "the JSON report is not well formed or does not add up"
fi

[ $failed -eq 0 ] && echo "command line: fine"
exit $((failed > 0))

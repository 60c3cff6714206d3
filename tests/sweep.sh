#!/bin/sh
# sweep.sh WARPLENS - do shards, in whatever processes and order, killed and begun again, merge to the bytes
# of one run, and is everything that does not belong together refused?
set -u
warplens=$(readlink -f "$1")
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

# refuses STATUS PATTERN ARGUMENTS...: the exit status, one line of message that matches, no output.
refuses() {
    want=$1 pattern=$2
    shift 2
    "$warplens" "$@" >out 2>err
    status=$?
    [ $status -eq "$want" ] || fail "'$*' exits with $status, not $want"
    is_message "$*" "$pattern"
}

# same FILE FILE WHAT
same() { cmp -s "$1" "$2" || fail "$3"; }

# Ten jobs under two GPUs
args="offsetCopy,strideCopy -p n=256,512 -p offset=0,1,2,3 --gpu gtx280,h200"
"$warplens" sweep $args >whole || fail "a sweep exits with $?"
[ "$(wc -l <whole)" -eq 10 ] || fail "a sweep of 10 jobs has $(wc -l <whole) lines"
"$warplens" sweep $args --list >list || fail "--list exits with $?"
[ "$(sed -n 7p list)" = "6 offsetCopy n=512 offset=2 on gtx280,h200" ] || fail "--list: $(sed -n 7p list)"
"$warplens" sweep $args --list --shard 2/4 | cut -d' ' -f1 | tr '\n' ' ' >list
[ "$(cat list)" = "1 5 9 " ] || fail "shard 2/4 has jobs $(cat list)"
"$warplens" sweep $args -j 3 >out || fail "a sweep in processes exits with $?"
same out whole "a sweep in three processes differs from one in one"

# Shards, in whatever order and number, are the whole
for i in 1 2 3; do "$warplens" sweep $args --shard $i/3 -j $i -o part-$i || fail "shard $i/3 exits with $?"; done
"$warplens" merge part-2 part-3 part-1 --format jsonl -o out || fail "merge exits with $?"
same out whole "three merged shards differ from the whole"
"$warplens" merge part-1 whole part-3 part-2 part-1 --format jsonl >out || fail "merge of a job twice exits with $?"
same out whole "a job that is there twice changes the merged sweep"
for i in 1 2 12; do "$warplens" sweep $args --shard $i/12 -o twelfth-$i || fail "shard $i/12 exits with $?"; done
[ -e twelfth-12 ] && [ ! -s twelfth-12 ] || fail "a shard without jobs does not make an empty file"
"$warplens" merge part-3 part-2 part-1 twelfth-12 --format json >out || fail "merge with an empty shard exits with $?"
"$warplens" compare $args --format json >compared || fail "compare exits with $?"
same out compared "the merged JSON differs from that of compare"
"$warplens" run $args --format json >compared
same out compared "the merged JSON differs from that of run"
for format in text csv; do
    for counters in gld_efficiency,time,l1_hit_rate all; do
        "$warplens" merge part-3 part-2 part-1 --format $format --counters $counters >out
        "$warplens" compare $args --format $format --counters $counters >compared
        same out compared "the merged $format ($counters) differs from that of compare"
    done
done
"$warplens" merge part-1 part-2 part-3 >out
"$warplens" compare $args >compared
same out compared "the merged table differs from that of compare"
tr '\t' '\n' <whole | grep -q '^"counters":{' || fail "tabs do not stand for line breaks"

# Fields of the GPU, rules only, registers
args2="offsetCopy -p n=256 --set l1_caches_global=0,1 --gpu m2090 --registers 16 --rules-only"
"$warplens" sweep $args2 >out || fail "a sweep over a field exits with $?"
"$warplens" merge out >merged
"$warplens" compare $args2 >compared
same merged compared "a sweep over a field differs from compare"
head -n 1 compared | grep -q 'm2090 l1_caches_global=0  *m2090$' || fail "columns of one GPU: $(head -n 1 compared)"
grep -q '"args":"offsetCopy --gpu m2090 -p n=256 --set l1_caches_global=0,1 --registers 16 --rules-only"' out ||
    fail "a line lacks the arguments of its sweep"
"$warplens" compare offsetCopy -p n=256 -p offset=$(seq -s, 0 63) --counters gld_efficiency >compared ||
    fail "compare of 64 kernels exits with $?"
refuses 2 'more than 64 kernels' compare offsetCopy -p n=256 -p offset=$(seq -s, 0 64)
seq -s, 0 64 >offsets
"$warplens" sweep offsetCopy -p n=256 -p offset=$(cat offsets) --rules-only >out
"$warplens" merge out --counters gld_efficiency >merged || fail "a table of 65 kernels exits with $?"
grep -q '^ .* offsetCopy offset=64  *100.00$' merged || fail "a table of 65 kernels has no line of the last"

# Killed and begun again: whatever a dead process left, the bytes are the same in the end
bytes=$(wc -c <part-2)
first=$(head -n 1 part-2 | wc -c)
for keep in 0 1 40 $((first - 1)) $first $((first + 1)) $((first + 300)) $((bytes - 1)) $bytes; do
    head -c "$keep" part-2 >resumed
    "$warplens" sweep $args --shard 2/3 -o resumed || fail "a file of $keep bytes is not completed"
    same resumed part-2 "a file of $keep bytes is completed to something else"
done
# Some seconds of work, killed as soon as a line is there
slow="transpose -p width=256,512 -p height=256,512,1024 --gpu gtx280"
"$warplens" sweep $slow -j 2 -o killed &
pid=$!
while [ ! -s killed ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -9 $pid
wait $pid 2>/dev/null
[ -s killed ] || fail "a killed sweep left no line"
"$warplens" sweep $slow -o killed || fail "a killed sweep does not go on"
"$warplens" sweep $slow -j 2 >out
same killed out "a killed sweep goes on to something else"

# Jobs that fail are lines; other GPUs keep their results
some="offsetCopy -p n=1024 -p block=512,1024 --gpu gtx280,h200"
"$warplens" sweep $some -o failing 2>err
[ $? -eq 2 ] || fail "a sweep with a failing job does not exit 2"
grep -q '^warplens sweep: 1 of 2 jobs failed' err || fail "a sweep with a failing job says: $(cat err)"
refuses 2 '1 of 2 jobs failed' sweep $some -o failing
grep -q '"gpu":"gtx280",.*"set":{},."error":"offsetCopy: a block of 1024' failing || fail "a failing job has no error"
"$warplens" merge failing --counters gld_efficiency >out 2>err
[ $? -eq 2 ] || fail "merge of a failed job does not exit 2"
grep -q 'offsetCopy block=1024  *-  80.00$' out || fail "a failed job's cell: $(cat out)"
grep -q '^offsetCopy block=1024 on gtx280 failed: ' out || fail "a failed job has no message: $(cat out)"
"$warplens" merge failing --format csv 2>err | grep -q 'block=1024,gtx280' && fail "a failed run has rows of CSV"

# What is missing, torn, mixed or changed
refuses 2 'no line has jobs 1, 4, 7 (3 of 10); to run them: `warplens sweep offsetCopy.* --shard 2/3 -o FILE`' \
    merge part-1 part-3
refuses 2 'to run them: `for i in 1 3; do warplens sweep .* --shard $i/3 -o FILE-$i; done`' merge part-2
head -n 1 part-2 >short
refuses 2 'no line has jobs 4, 7 (2 of 10).* --shard 2/3 -o short`' merge part-1 short part-3
head -n 9 whole >short
refuses 2 'no line has job 9 (1 of 10); to run it: `warplens sweep .*0,1,2,3 -o short`' merge short
command=$("$warplens" merge short 2>&1 | sed 's/.*`warplens \(.*\)`$/\1/')
"$warplens" $command || fail "the command that merge prints fails: $command"
same short whole "the command that merge prints does not run what is missing"
head -c 3000 part-2 >torn
refuses 2 'torn:1: the line is torn: it ends after 3000 bytes' merge part-1 torn part-3
printf '%s' "$(cat part-2)" >torn
refuses 2 'torn:3: the line is torn: its line break is missing' merge part-1 torn part-3
{ head -n 1 part-2; echo '{"schema":2}'; } >odd
refuses 2 'odd:2: this is no line of `warplens sweep` from byte 11 on' merge odd
refuses 2 'odd:2: this is no line' sweep $args --shard 2/3 -o odd
sed '2s/"warp_accesses":/&1/' part-2 >odd
refuses 2 'odd:2: job 4 (offsetCopy n=512 offset=0) stands in part-2:2 with other results' merge part-2 odd
sed '2s/"warp_accesses":/"warps_accessed":/g' part-2 >odd
refuses 2 'odd:2: a run that this version of warplens did not write, from byte' merge part-1 odd part-3
"$warplens" sweep $args2 >other
refuses 2 'other:1: a line of another sweep (.*--registers 16 --rules-only`) than part-1' merge part-1 other
refuses 2 'part-2:1: a line of shard 2/3, not 1/3: each shard needs a file of its own' sweep $args --shard 1/3 -o part-2
refuses 2 'other:1: a line of another sweep' sweep $args -o other
sed -n '1p;3p' part-2 >odd
refuses 2 'odd:2: job 7 stands where another one is expected' sweep $args --shard 2/3 -o odd
cat part-2 part-2 >odd
refuses 2 'odd:4: job 1 stands where another one is expected' sweep $args --shard 2/3 -o odd
printf 'my notes' >notes
refuses 2 'notes:1: this is no line' sweep $args -o notes
[ "$(cat notes)" = "my notes" ] || fail "a sweep touched a file that is not its own"
: >none
refuses 2 'none: no job of a sweep stands in it' merge none
refuses 1 'No such file' merge part-1 nothing
refuses 1 'no regular file' merge part-1 .
refuses 2 'names no file' merge
refuses 2 'is for text and csv' merge whole --format json --counters time
refuses 2 'unknown counter tim' merge whole --counters tim
refuses 2 'allowed is text, json, jsonl or csv' merge whole --format xml
echo old >kept
refuses 2 'no line has job' merge part-1 -o kept
grep -q '^old$' kept || fail "a merge that failed touched its -o file"

# Bad shards and lists
for shard in 0/3 4/3 x 1 1/ /3 1/0 -1/3 1/3x 1/2000000; do refuses 2 'i/n, such as 2/8' sweep $args --shard=$shard; done
refuses 2 'more than 1000000 kernels' sweep offsetCopy \
    $(for i in 1 2 3 4; do echo -p offset=$(cat offsets); done)
refuses 2 'allowed for offsetCopy is 0 to 1024' sweep offsetCopy -p offset=0,2000
refuses 2 'more than 64 GPUs' sweep offsetCopy --set l2_bytes=$(seq -s, 1 65)
if [ -e /dev/full ]; then refuses 1 'No space left' sweep $args -o /dev/full; fi

# GNU parallel runs shards as it would any commands
if command -v parallel >/dev/null; then
    parallel --will-cite -j2 "$warplens" sweep $args --shard {}/4 -o quarter-{} ::: 1 2 3 4 </dev/null ||
        fail "parallel exits with $?"
    "$warplens" merge quarter-* --format jsonl >out
    same out whole "shards that parallel ran differ from the whole"
else
    echo "no GNU parallel: that part is left out"
fi

[ $failed -eq 0 ] && echo "sweeps: fine"
exit $((failed > 0))

#!/bin/sh
# gate.sh WARPLENS PYTHON EXAMPLES - do diff and gate say what a change has changed, and stop what must not pass?
# Exit statuses, one message an error, files whole or not there, XML and JSON that other programs read.
set -u
warplens=$(realpath "$1") python=$2 examples=$3
. "$(dirname "$0")/checks.sh"

# ends STATUS ARGUMENTS...: the exit status; output in $dir/out, messages in $dir/err.
ends() {
    want=$1
    shift
    "$warplens" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$want" ] || fail "'$*' exits with $status, not $want: $(cat "$dir/err")"
}

# refuses PATTERN ARGUMENTS...: status 2, one line of message that matches, no output.
refuses() {
    pattern=$1
    shift
    ends 2 "$@"
    is_message "$*" "$pattern"
}

# shows PATTERN: a line of the last output, single blanks between its words.
shows() {
    sed 's/^ *//; s/  */ /g' "$dir/out" | grep -q -- "$1" || fail "the output lacks: $1"
}

small="-p width=64 -p height=64 --gpu gtx280"
naive="transpose_naive $small" tiled="transpose $small"
"$warplens" run $naive --format json -o "$dir/naive.json" && "$warplens" run $tiled --format json -o "$dir/tiled.json" ||
    fail 'run --format json'

# A diff: runs and results in files say the same; a line that is elsewhere is found by its arrays.
ends 0 diff "$dir/naive.json" "$dir/tiled.json"
cp "$dir/out" "$dir/files"
shows '^global_store_transactions transactions 4,096 256 -3,840 0.0625 better$'
shows '^transpose.c:25 -> transpose.c:46 global store odata$'
shows '^only after: transpose.c:46 shared load block$'
shows '^shared_load_passes passes 0 256 +256 -$'
ends 0 diff transpose_naive transpose $small
cmp -s "$dir/files" "$dir/out" || fail 'diff of two kernels is not that of their results'
ends 0 diff "$dir/naive.json" transpose -p width=64 -p height=64
cmp -s "$dir/files" "$dir/out" || fail 'diff does not run a kernel on the GPUs of a result'
ends 0 diff transpose_naive "$dir/tiled.json" -p width=64 -p height=64
cmp -s "$dir/files" "$dir/out" || fail 'diff does not run the first one on the GPUs of the second'
ends 0 diff "$dir/tiled.json" "$dir/tiled.json" --exit-code
shows '^no counter differs$'
ends 3 diff "$dir/naive.json" "$dir/tiled.json" --exit-code
ends 0 diff "$dir/naive.json" "$dir/tiled.json" --counters gld_efficiency,launches
shows '^launches launches 1 1 0 1 equal$'
grep -q global_store "$dir/out" && fail '--counters does not choose'
ends 3 diff "$dir/naive.json" "$dir/tiled.json" --counters gst_efficiency --exit-code
ends 0 diff "$dir/naive.json" "$dir/tiled.json" --counters launches --exit-code
ends 0 diff "$dir/tiled.json" "$dir/naive.json" --counters gst_efficiency
shows '^gst_efficiency % 100.00 12.50 -87.50 0.125 worse$'
ends 0 diff transpose_naive transpose $small,h200 --format csv
[ "$(grep -c 'gtx280.*,global_store_sectors,sectors,4096,512,-3584,0.125,better$' "$dir/out")" -eq 2 ] &&
    [ "$(grep -c 'h200.*,global_store_sectors,sectors,2048,512,-1536,0.25,better$' "$dir/out")" -eq 2 ] ||
    fail 'csv: two GPUs, each the whole run and a line'
ends 0 diff transpose transpose $small --set sm_count=10,20 --rules-only
[ "$(grep -c '^after: .*sm_count=' "$dir/out")" -eq 2 ] || fail 'runs with other fields of the GPU are not paired'
ends 0 diff offsetCopy,strideCopy strideCopy --gpu gtx280 --rules-only
shows '^only before: offsetCopy on gtx280'
shows '^before: strideCopy on gtx280'

# Limits
ends 0 gate $tiled --min gld_efficiency=100 --max global_load_sectors=512 --max 'array block:shared_load_conflicts=0' \
    --min transpose.c:46:gst_efficiency@sm_13=99.5 --min 'kernel transpose:gld_request=128'
shows '^transpose.c:46:gst_efficiency@gtx280 at least 99.5 100 % met$'
shows '^5 of 5 limits met$'
[ -s "$dir/err" ] && fail "gate says of limits that are met: $(cat "$dir/err")"
ends 3 gate $naive --min gst_efficiency=80 --min gld_efficiency=80 --junit "$dir/gate.xml"
shows '^gst_efficiency at least 80 12.5 % NOT MET$'
shows '^worst line for gst_efficiency: transpose.c:25 (12.5)$'
shows '^1 of 2 limits not met$'
grep -qx "warplens gate: transpose_naive on gtx280 (width=64 height=64): gst_efficiency is 12.5 %, wanted at least 80" "$dir/err" ||
    fail "says: $(cat "$dir/err")"
[ "$(wc -l <"$dir/err")" -eq 1 ] || fail 'more than a line for one limit'
ends 3 gate "$dir/naive.json" --min gst_efficiency=80 --min gld_efficiency=80 --format json -o "$dir/gate.json"
ends 3 gate $naive --max global_load_sectors=511
ends 0 gate $naive --max global_load_sectors=512
ends 3 gate $naive --min global_load_sectors=512.5

# A limit that says nothing is an error.
ends 0 gate transpose_naive -p width=64 -p height=64 --min warps=1 # on the default GPU
shows 'transpose_naive on h200'
ends 1 gate $naive --baseline "$dir/nosuch.json"
grep -q 'nosuch.json: .*No such file' "$dir/err" || fail "a baseline that is not there: $(cat "$dir/err")"
ends 1 gate $naive --min warps=1 --junit "$dir/nosuch/x.xml"
[ -s "$dir/out" ] && fail "a JUnit file that cannot be written is found out after the run"
ends 1 diff "$dir/nosuch.cu" transpose
refuses 'min nosuch=5: unknown counter' gate $naive --min nosuch=5
refuses 'nothing of its kind happened there' gate $naive --max shared_conflict_ways=1
refuses 'model of time, which --rules-only leaves out' gate $naive --rules-only --max time=1
refuses 'profilers of other GPUs alone: this one.s is CUDA Visual Profiler on sm_12 and sm_13' gate $naive --max dram__sectors_read.sum=1
refuses 'lines of transpose.c that have: 25' gate $naive --min transpose.c:24:gld_efficiency=1
refuses 'no memory access is in a file of that name; did you mean transpose.c' gate $naive --min transpos.c:25:gld_efficiency=1
refuses 'no array of that name; did you mean idata' gate $naive --min 'array idat:gld_efficiency=1'
refuses 'no kernel was launched of that name' gate $naive --min 'kernel copy:gld_efficiency=1'
refuses 'not for lines and arrays' gate $naive --max transpose.c:25:elapsed_cycles=1
refuses 'no run is on that GPU; the first one is on gtx280' gate $naive --min gld_efficiency@h200=1
refuses 'unknown counter gld_eficiency; did you mean gld_efficiency' gate $naive --min gld_eficiency=1
for text in gld_efficiency '=3' gld_efficiency= gld_efficiency=x gld_efficiency=-1 gld_efficiency=0x10 gld_efficiency=inf \
    gld_efficiency@=1 :gld_efficiency=1 transpose.c:gld_efficiency=1 transpose.c:0:gld_efficiency=1 'array :gld_efficiency=1' 'x: =1'; do
    refuses 'allowed is \|unknown counter' gate $naive --min "$text"
done
refuses 'has no limit' gate $naive
refuses 'takes one' gate --min gld_efficiency=1
refuses 'takes two' diff transpose
rm -f "$dir/none.xml"
refuses 'nothing of its kind' gate $naive --max shared_conflict_ways=1 --junit "$dir/none.xml"
[ -e "$dir/none.xml" ] && fail 'an error leaves a file of --junit'

# Baselines: exact for counters of the rules, within the tolerance for the time; the rest of the model of time is noted.
ends 0 gate $naive --baseline "$dir/naive.json"
shows '0 figures are worse'
sed 's/"transpose"/"transpose_naive"/' "$dir/tiled.json" >"$dir/better.json"
ends 3 gate $naive --baseline "$dir/better.json" --junit "$dir/baseline.xml"
shows '^gst_efficiency at least 100 12.5 % WORSE than the baseline$'
grep -q 'wanted at most 256, the baseline$' "$dir/err" || fail "says: $(cat "$dir/err")"
ns=$(sed -n 's/.*"elapsed_ns":\([0-9]*\).*/\1/p' "$dir/naive.json" | head -n 1)
sed "s/\"elapsed_ns\":$ns/\"elapsed_ns\":$((ns * 96 / 100))/" "$dir/naive.json" >"$dir/faster.json"
ends 3 gate $naive --baseline "$dir/faster.json"
shows '^time at most [0-9.]* ([0-9.]* and 2 %) [0-9.]* us WORSE'
ends 3 gate $naive --baseline "$dir/faster.json" --tolerance 4
ends 0 gate $naive --baseline "$dir/faster.json" --tolerance 5
sed 's/"global_load_sectors":512/"global_load_sectors":511/' "$dir/naive.json" >"$dir/fewer.json"
ends 3 gate $naive --baseline "$dir/fewer.json" --tolerance 5
instructions=$(sed -n 's/.*"instructions":\([0-9]*\).*/\1/p' "$dir/naive.json" | head -n 1)
sed "s/\"instructions\":$instructions/\"instructions\":$((instructions / 2))/" "$dir/naive.json" >"$dir/shorter.json"
ends 0 gate $naive --baseline "$dir/shorter.json"
shows 'worse, and no failure: instructions [0-9,]* -> [0-9,]*$'
refuses 'it has no result of transpose_naive on gtx280 (width=32 height=64)' gate transpose_naive --baseline "$dir/naive.json" -p width=32 -p height=64
refuses 'it has times, and' gate $naive --rules-only --baseline "$dir/naive.json"
refuses 'tolerance is for --baseline' gate $naive --min gld_efficiency=1 --tolerance 5

# Results that are damaged
head -c 3000 "$dir/naive.json" >"$dir/cut.json"
refuses 'cut.json: no report that this version' gate "$dir/cut.json" --min gld_efficiency=1
refuses 'cut.json: no report that this version' diff "$dir/naive.json" "$dir/cut.json"
printf '{"schema":1,"compiler":"gcc","runs":[\n]}\n' >"$dir/empty.json"
refuses 'it has no run' gate "$dir/empty.json" --min gld_efficiency=1
refuses '-p is for what is run, and .*naive.json is a result' gate "$dir/naive.json" -p width=32 --min gld_efficiency=1
refuses '--rules-only is for what is run' diff "$dir/naive.json" "$dir/tiled.json" --rules-only
"$python" -m json.tool "$dir/naive.json" "$dir/pretty.json"
refuses 'pretty.json: no report that this version' diff "$dir/naive.json" "$dir/pretty.json"
refuses 'no run on a GPU of --gpu; its first is on gtx280' gate "$dir/naive.json" --gpu h200 --min gld_efficiency=1

# XML and JSON for others; what goes to a device is written there.
"$python" - "$dir" <<'PYTHON' || fail 'the XML or JSON is not what it should be'
import json, sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1] + '/gate.xml').getroot()
assert root.tag == 'testsuites' and root.get('tests') == '2' and root.get('failures') == '1', root.attrib
suite, = root
cases = list(suite)
assert suite.get('name') == 'transpose_naive on gtx280 (width=64 height=64)'
assert [c.get('name') for c in cases] == ['gst_efficiency at least 80', 'gld_efficiency at least 80']
assert [len(c) for c in cases] == [1, 0]
assert cases[0][0].get('message') == '12.5 %, wanted at least 80'
base = tree.parse(sys.argv[1] + '/baseline.xml').getroot()
found = base.findall('.//testcase')
assert len(found) == int(base.get('tests')) and len(base.findall('.//failure')) == int(base.get('failures')) > 0
gate = json.load(open(sys.argv[1] + '/gate.json'))
assert gate['not_met'] == 1 and gate['runs'][0]['limits'][0]['value'] == 12.5
PYTHON
"$warplens" diff "$dir/naive.json" "$dir/tiled.json" --format json -o /dev/fd/1 >"$dir/diff.json" || fail '-o /dev/fd/1'
"$python" - "$dir/diff.json" <<'PYTHON' || fail 'the JSON of diff is not what it should be'
import json, sys
pair, = json.load(open(sys.argv[1]))['pairs']
rows = {r['counter']: r for r in pair['counters']}
assert rows['gst_efficiency']['difference'] == 87.5 and rows['gst_efficiency']['word'] == 'better'
assert rows['shared_load_passes']['ratio'] is None and rows['shared_load_passes']['word'] == ''
line, = [l for l in pair['lines'] if l['op'] == 'store' and l['space'] == 'global']
assert line['before']['line'] == 25 and line['after']['line'] == 46 and line['after']['arrays'] == ['odata']
PYTHON

# The script of the examples for CI: it passes, it finds a baseline that was better, and writes for the CI system.
WARPLENS=$warplens sh "$examples/ci/gate.sh" "$dir" >"$dir/out" 2>"$dir/err" || fail "examples/ci/gate.sh: $(cat "$dir/err")"
shows '^kernel tiled<1>:gst_efficiency at least 100 100 % met$'
shows '^baseline .*baseline.json: 0 figures are worse'
sed 's/"global_store_sectors":[0-9]*/"global_store_sectors":1/' "$dir/baseline.json" >"$dir/old.json"
WARPLENS=$warplens BASELINE=$dir/old.json sh "$examples/ci/gate.sh" "$dir" >"$dir/out" 2>"$dir/err"
[ $? -eq 3 ] || fail 'examples/ci/gate.sh does not end with 3 when a counter is worse'
shows '^global_store_sectors at most 1 18432 sectors WORSE'
"$python" - "$dir" <<'PYTHON' || fail 'the XML of the example is not well formed'
import sys
import xml.etree.ElementTree as tree
limits, base = [tree.parse(sys.argv[1] + name).getroot() for name in ('/limits.xml', '/baseline.xml')]
assert [s.get('tests') for s in limits] == ['2', '2'] and limits.get('failures') == '0'
assert [f.get('message') for f in base.findall('.//failure')] == ['18432 sectors, wanted at most 1']
PYTHON
exit $((failed > 0))

#!/bin/sh
# validate.sh WARPLENS DATA - measurements against the model: the numbers of each form of file,
# thresholds, and one message an error that says where.
set -u
warplens=$1
data=$2
. "$(dirname "$0")/checks.sh"

# refuses STATUS PATTERN ARGUMENTS...: the exit status, one line of message that matches, no output.
refuses() {
    want=$1 pattern=$2
    shift 2
    "$warplens" validate "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$want" ] || fail "'$*' exits with $status, not $want"
    is_message "$*" "$pattern"
}

# accepts ARGUMENTS...: exit 0, nothing on standard error, output in $dir/out.
accepts() {
    "$warplens" validate "$@" >"$dir/out" 2>"$dir/err" || fail "'$*' exits with $?: $(cat "$dir/err")"
    [ -s "$dir/err" ] && fail "'$*' wrote a message: $(cat "$dir/err")"
    [ -s "$dir/out" ] || fail "'$*' wrote nothing"
}

# shows PATTERN: a line of the last output, single blanks between its words.
shows() {
    sed 's/^ *//; s/  */ /g' "$dir/out" | grep -q -- "$1" || fail "the output lacks: $1"
}

# notes PATTERN: the same over line ends, which notes are wrapped at.
notes() {
    tr '\n' ' ' <"$dir/out" | sed 's/  */ /g' | grep -q -- "$1" || fail "the output lacks: $1"
}

# with TEXT: a file of that text, in $dir/in.csv.
with() {
    printf '%b' "$1" >"$dir/in.csv"
}

tidy=$data/tidy_h200.csv
nvprof=$data/nvprof_tegra_x1.csv
details=$data/ncu_details_h200.csv
raw=$data/ncu_raw_v100.csv
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op
head='gpu,run,kernel,parameters,launch,function,counter,value\n'
row='NVIDIA H200,1,strideCopy,n=4096 stride=4,1,strideCopy,'

# Tidy: values of the rules, a store that was measured 25 % higher, a bound, a rate in points.
accepts "$tidy" --rules-only
shows '^H200 (h200): 8 launches of 4 kernels, rules only$'
shows "^${sectors}_ld.sum 6 6 0 - 0.00 % 0.00 % 0.00 % 1.000$"
shows "^${sectors}_st.sum 6 5 0 - 3.33 % -3.33 % -20.00 % 1.000 strideCopy n=4096 block=256 stride=4$"
shows '^l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum 6 5 0 6 of 6 0.10 % '
shows '_op_ld.pct 6 5 0 - 0.17 pt +0.17 pt +1.00 pt '
notes 'time_us is not modelled with --rules-only'
notes 'Measured but not modelled: sm__warps_active'
accepts "$tidy" transpose_naive,transpose --rules-only
shows '^H200 (h200): 4 launches of 2 kernels'
shows '^transpose_naive width=256 height=256 on h200, run 3, launch 1: transpose_naive$'
accepts "$tidy"
shows '^H200 (h200): 8 launches of 4 kernels, caches emptied before each launch$'
shows '^time_us 2 0 0 - '
grep -q 'launch 1: ' "$dir/out" && fail "8 launches are shown one by one without --details"
accepts "$tidy" --cache-control none --min-time 5 --details
shows 'caches as the launch before left them'
shows '^time_us 1 0 0 - '
notes 'time_us on h200: launches shorter than 5 us are left out: 1'
shows 'run 5, launch 2: sumWindow'

# A counter that reads 0, another GPU beside, a measured 0 that is modelled otherwise
with "#counters ${sectors}_ld.sum\n${head}${row}${sectors}_st.sum,2048\nTesla V100-SXM2-16GB,1,strideCopy,n=4096 stride=4,1,strideCopy,${sectors}_ld.sum,2048\n"
accepts "$dir/in.csv"
shows '^H200 (h200): 1 launch of 1 kernel'
shows '^Tesla V100 (v100): 1 launch of 1 kernel'
shows "^${sectors}_ld.sum 1 0 1 - - - - "
shows "^${sectors}_ld.sum 0 2,048 sector +2048 measured 0$"
refuses_threshold() {
    "$warplens" validate "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 3 ] || fail "'$*' does not exit with 3"
    [ -s "$dir/out" ] || fail "'$*' wrote no result"
}
refuses_threshold "$dir/in.csv" --max-error "${sectors}_ld.sum=5"
grep -q 'on h200: measured 0 and modelled not 0 in 1 launch$' "$dir/err" || fail "says: $(cat "$dir/err")"
accepts "$dir/in.csv" --max-error "mean:${sectors}_ld.sum=5"
accepts "$dir/in.csv" --max-error "mean:${sectors}_ld.sum=5" --gpu v100 --set sm_count=40 --format csv
grep -q '^h200' "$dir/out" && fail "--gpu does not override the GPU of the file"

refuses 1 'nosuch.txt: No such file' "$dir/in.csv" nosuch.txt
refuses 2 'sm_count=40,80: allowed is one value' "$dir/in.csv" --gpu v100 --set sm_count=40,80
accepts "$dir/in.csv" --gpu v100 --set sm_count=40
shows '^Tesla V100 (v100): 2 launches of 1 kernel, sm_count=40, rules only$'

printf 'name = mine\nbase = h200\nsm_count = 64\n' >"$dir/mine.gpu"
accepts "$dir/in.csv" --arch-file "$dir/mine.gpu"
shows '^mine (mine): 2 launches of 1 kernel, rules only$'

# nvprof: rows of two headers, percent signs, the constant 2 of raw transactions
accepts "$nvprof" copyRow,copyCol,transposeSmem -p nx=256 -p ny=256
shows '^Tegra X1 (tegra-x1): 3 launches of 3 kernels, rules only$'
shows '^gst_transactions 8,194 8,192 transactions -2 -0.02 %$'
shows '^gst_transactions 65,538 65,536 transactions -2 -0.003 %$'
shows '^gld_transactions 2 2 0 '
shows '^shared_ld_bank_conflict 2 2 0 '
notes 'gst_transactions on tegra-x1 is 2 more than modelled'
grep -q 'gld_transactions on' "$dir/out" && fail "a note on a counter that is equal"
notes 'not modelled: gld_throughput, dram_utilization $'
accepts "$nvprof" copyRow,transposeSmem -p nx=256 -p ny=256
notes 'launches of copyCol are left out: nothing named launches it'

# ncu: details and raw pages, two instances of a template, a scaled unit
accepts "$details" transpose_naive,transpose -p width=256 -p height=256
notes 'says of the GPU only that it is of sm_90: taken for h200'
shows "^${sectors}_st.sum 32,768 32,768 sector equal 0$"
shows '_shared_op_ld.sum 2 1 0 2 of 2 2.59 % -2.59 % -2.59 % - transpose '
accepts "$raw" strideCopy -p n=4096 -p stride=2,4
shows '^Tesla V100 (v100): 2 launches of 1 kernel'
shows "^${sectors}_ld.sum 2 2 0 "
notes 'smsp__inst_executed_op_global_ld.sum (Kinst) is left out'
notes 'launches of memsetKernel are left out'
accepts "$raw" strideCopy -p n=4096 -p stride=4,2 --max-error "${sectors}_ld.sum=100"
shows "^${sectors}_ld.sum 2 0 0 75.00 % +25.00 % +100.00 % - strideCopy n=4096 block=256 stride=4$"
accepts "$nvprof" "$raw" "$tidy" copyRow,strideCopy -p n=4096 -p stride=2,4 -p nx=256 -p ny=256 --format csv

# The average of several launches: each of two runs launches zeroCopyStride
with '"Device","Kernel","Invocations","Metric Name","Min","Max","Avg"\n"Tesla P100 (0)","strideCopy(float*)",2,"global_load_requests",1,1,384.000000\n'
accepts "$dir/in.csv" strideCopy -p n=2048,4096
shows 'launch 1 (average of 2): strideCopy$'
shows '^global_load_requests 384 384 requests equal 0$'

# Thresholds
accepts "$tidy" --rules-only --max-error "${sectors}_st.sum=20" --max-error "mean:${sectors}_st.sum=3.4"
refuses_threshold "$tidy" --rules-only --max-error "${sectors}_st.sum=19.9" --max-error "mean:${sectors}_st.sum=3.3"
grep -q "${sectors}_st.sum on h200: worst error 20 % is over 19.9, in strideCopy n=4096" "$dir/err" || fail "says: $(cat "$dir/err")"
grep -q "${sectors}_st.sum on h200: mean error 3.333 % is over 3.3$" "$dir/err" || fail "says: $(cat "$dir/err")"
[ "$(wc -l <"$dir/err")" -eq 2 ] || fail "two broken thresholds make $(wc -l <"$dir/err") lines"
refuses 2 'no launch was compared on it; those compared are l1tex__t_sectors' "$tidy" --rules-only --max-error time_us=5
refuses 2 'allowed is FIGURE=PERCENT' "$tidy" --max-error time_us
refuses 2 'allowed is FIGURE=PERCENT' "$tidy" --max-error time_us=x
refuses 2 'allowed is FIGURE=PERCENT' "$tidy" --max-error mean:=4

# Processes: the same bytes however many
"$warplens" validate "$tidy" --format json >"$dir/one" || fail "validate exits with $?"
for jobs in 2 3 64; do
    accepts "$tidy" --format json -j $jobs
    cmp -s "$dir/one" "$dir/out" || fail "$jobs processes write something else than one"
done
accepts "$tidy" --format csv -j 2
shows '^gpu,run,kernel,parameters,launch,function,counter,measured,modelled$'
shows "^h200,2,strideCopy,n=4096 block=256 stride=4,1,strideCopy,${sectors}_st.sum,2560,2048$"
with "${head}NVIDIA H200,1,transpose,width=8192 height=8192,1,transpose,time_us,1\nNVIDIA H200,1,transpose_naive,width=8192 height=8192,1,transpose_naive,time_us,1\n"
( ulimit -c 0; ulimit -t 1; "$warplens" validate "$dir/in.csv" -j 2 >"$dir/out" 2>"$dir/err" )
[ $? -eq 70 ] || fail "a process that is killed is not seen"
grep -q 'width=8192 height=8192 on h200: the process that ran it ended' "$dir/err" || fail "says: $(cat "$dir/err")"
if command -v python3 >/dev/null; then
    python3 -c 'import json,sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == 1 and len(d["launches"]) == 8 and len(d["gpus"]) == 1
s = {c["counter"]: c for c in d["gpus"][0]["summary"]}
assert s["time_us"]["launches"] == 2 and s["time_us"]["rank_correlation"] is None
assert all(launch["limiter"] for launch in d["launches"])
assert d["not_modelled"] == ["sm__warps_active.avg.pct_of_peak_sustained_active"]' "$dir/one" ||
        fail "the JSON is not well formed or lacks something"
fi

# Files and forms
refuses 1 'No such file' "$dir/none.csv"
refuses 2 'names no file of measurements' "$dir"
refuses 2 'names no file of measurements' transpose
refuses 2 'names no file of measurements'
with 'nothing\nto see\n'
refuses 2 "in.csv:3: no header of a form that is known.*nvprof --csv (Device, Kernel" "$dir/in.csv"
with 'run,kernel,parameters,launch,counter\n1,copy,,1,x\n'
refuses 2 'in.csv:1: the header of the harness lacks function, value$' "$dir/in.csv"
with '"Device","Kernel","Invocations"\n'
refuses 2 'in.csv:1: the header of nvprof lacks Avg$' "$dir/in.csv"
with '"ID","Metric Name","Metric Value"\n'
refuses 2 'in.csv:1: the header of ncu --csv lacks Kernel Name$' "$dir/in.csv"
with "$head"
refuses 2 'a header but no launch behind it' "$dir/in.csv"
with "${head}NVIDIA H200,1,copy\n"
refuses 2 'in.csv:2: 3 fields where the header has 8' "$dir/in.csv"
with "${head}NVIDIA H200,1,\"copy\n"
refuses 2 'in.csv:2: the file ends inside a quoted field' "$dir/in.csv"
with "${head}NVIDIA H200,1,\"co\"py,,1,f,x,1\n"
refuses 2 'in.csv:2: text behind a closing quote' "$dir/in.csv"
printf '%b' "${head}NVIDIA H200,1,co\\0000py,,1,f,x,1\n" >"$dir/in.csv"
refuses 2 'in.csv:2: a zero byte' "$dir/in.csv"
with "${head}$(head -c 1100000 /dev/zero | tr '\0' x)\n"
refuses 2 'in.csv:2: more than 1 MB in a record' "$dir/in.csv"
with '"ID","Kernel Name","a__b"\n"0","f","1"\n'
refuses 2 'in.csv:2: no row of units' "$dir/in.csv"

# Values
for value in x '' 1x -1 1,0 nan inf 0x10 1e999; do
    with "${head}${row}${sectors}_ld.sum,\"$value\"\n"
    refuses 2 "in.csv:2: value $value of ${sectors}_ld.sum: allowed is a number from 0 on" "$dir/in.csv"
done
with "${head}NVIDIA H200,1,copy,,0,copy,x,1\n"
refuses 2 'in.csv:2: launch 0: allowed is a whole number from 1 on' "$dir/in.csv"
with "${head}NVIDIA H200,a,copy,,1,copy,x,1\n"
refuses 2 'in.csv:2: run a: allowed is a whole number from 0 on' "$dir/in.csv"
with "${head}${row}${sectors}_ld.sum,1\n${row}${sectors}_ld.sum,2\n"
refuses 2 "in.csv:3: ${sectors}_ld.sum of launch 1 of strideCopy a second time, .* line 2" "$dir/in.csv"
with '"Device","Kernel","Invocations","Metric Name","Avg"\n"Tesla P100 (0)","f(int)",1,"gld_efficiency","9%%x"\n'
refuses 2 'in.csv:2: Avg 9%%x of gld_efficiency: allowed is a number' "$dir/in.csv" copyRow
with '"Device","Kernel","Invocations","Metric Name","Avg"\n"Tesla P100 (0)","f(int)",0,"gld_efficiency","9%%"\n'
refuses 2 'in.csv:2: Invocations 0: allowed is' "$dir/in.csv" copyRow
with "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n\"0\",\"f\",\"${sectors}_ld.sum\",\"1..2\"\n"
refuses 2 "in.csv:2: value 1..2 of ${sectors}_ld.sum: allowed is a number" "$dir/in.csv" copyRow --gpu h200

# What does not fit the model
with "${head}NVIDIA H200,1,strideCopi,,1,copy,x,1\n"
refuses 2 'in.csv:2: unknown kernel strideCopi; did you mean strideCopy.*(1 launch of 1 kernel read)' "$dir/in.csv"
with "${head}NVIDIA H200,1,strideCopy,n=4096 strid=4,1,strideCopy,x,1\n"
refuses 2 'in.csv:2: parameter strid=4: strideCopy takes name=value of n, block, stride (1 launch' "$dir/in.csv"
with "${head}NVIDIA H200,1,strideCopy,n=4097,1,strideCopy,x,1\n"
refuses 2 'in.csv:2: parameter n=4097: allowed for strideCopy is 64 to 16777216 in multiples of 64 (1' "$dir/in.csv"
with "${head}NVIDIA H200,1,strideCopy,n=4096 block=1024 stride=3,1,strideCopy,x,1\nNVIDIA H200,1,strideCopy,n=64 block=1024,1,strideCopy,x,1\n"
refuses 2 'strideCopy n=64 block=1024 stride=2 on h200: impossible parameters' "$dir/in.csv"
refuses 2 'strideCopy n=64 block=1024 stride=2 on h200: impossible parameters' "$dir/in.csv" -j 2
with "${head}NVIDIA H200,1,strideCopy,n=4096,3,strideCopy,x,1\n"
refuses 2 'in.csv:2: launch 3 of strideCopy: under the model it has 1 launch$' "$dir/in.csv"
with "${head}NVIDIA H200,1,strideCopy,n=4096,1,copy,x,1\n"
refuses 2 'in.csv:2: launch 1 of strideCopy is of copy, under the model of strideCopy$' "$dir/in.csv"
with "${head}GeForce GTX 980 Ti,1,strideCopy,n=4096,1,strideCopy,x,1\n"
refuses 2 'in.csv:2: no model of the GPU GeForce GTX 980 Ti: --gpu NAME chooses' "$dir/in.csv"
with "${head},1,strideCopy,n=4096,1,strideCopy,x,1\n"
refuses 2 'in.csv:2: the file does not say on which GPU' "$dir/in.csv"
refuses 2 '2 GPUs are named' "$tidy" --gpu h200,v100
refuses 2 'unknown GPU h2000' "$tidy" --gpu h2000
refuses 2 'unknown kernel transposed' "$tidy" transposed
refuses 2 'no launch in the files is of the kernels named: they have strideCopy, transpose_naive, ' "$tidy" copyRow
refuses 2 '-p is for files of nvprof and ncu' "$tidy" -p n=4096
refuses 2 'names functions but not what ran: name the program' "$raw"
refuses 2 'files have transposeSmem, copyRow, copyCol; the runs of the kernels have transpose$' "$nvprof" transpose
refuses 2 'in_ncu.*: 2 launches of strideCopy<2> are measured, the runs of the kernels named have 1' "$(cp "$raw" "$dir/in_ncu.csv"; echo "$dir/in_ncu.csv")" strideCopy
refuses 2 'allowed is 1 to 256' "$tidy" -j 0
refuses 2 'a time in microseconds' "$tidy" --min-time -3
refuses 2 'allowed is text, json or csv' "$tidy" --format xml
refuses 1 'No such file' "$tidy" --rules-only -o "$dir/none/report"

# An operand is a file when one of that name exists
cp "$tidy" "$dir/transpose"
case $warplens in /*) ;; *) warplens=$PWD/$warplens ;; esac
( cd "$dir" && "$warplens" validate transpose --rules-only >out 2>&1 ) || fail "a file named transpose is not read"

[ $failed -eq 0 ] && echo "validation: fine"
exit $((failed > 0))

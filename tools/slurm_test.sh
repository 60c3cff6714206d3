#!/bin/sh
# slurm_test.sh [WARPLENS]: does docs/sweeps.md's array job do what it says under a real Slurm? Installs
# Debian's slurm-wlm and munge where they are missing, starts munged, slurmctld and slurmd of its own on
# this machine (own configuration, key, ports and directory; no systemd, and nothing of an installed
# cluster is touched), submits an array of four shards, kills one of its tasks half way, submits it alone,
# which is refused, requeues it, merges, compares with the unsharded run, and takes everything down. The
# last line is PASSED, or FAILED with the reason. Needs root, for slurmd. About 20 seconds once the packages
# are there. No part of `meson test`: it installs packages and needs root.
set -u
cd "$(dirname "$0")/.." || exit 1
warplens=$(readlink -f "${1:-build/warplens}")
dir=
munged_pid= ctld_pid= slurmd_pid= submit_pid=

finish() { # finish STATUS MESSAGE
    if [ -n "$slurmd_pid" ] && [ "$1" -ne 0 ]; then # tasks outlive slurmd
        timeout 5 scancel --user=root
        timeout 10 sh -c 'while squeue -h | grep -q .; do sleep 0.5; done'
    fi
    for pid in $submit_pid $slurmd_pid $ctld_pid $munged_pid; do kill "$pid" 2>/dev/null; done
    wait
    if [ "$1" -ne 0 ] && [ -n "$dir" ]; then tail -n 15 "$dir"/*.log >&2; fi
    [ -n "$dir" ] && rm -rf "$dir"
    echo "$2"
    exit "$1"
}
fail() { finish 1 "FAILED: $*"; }
trap 'fail interrupted' INT TERM

[ "$(id -u)" -eq 0 ] || fail "run as root: slurmd starts jobs"
[ -x "$warplens" ] || fail "no program $warplens: build it, or name it: tools/slurm_test.sh build/warplens"
missing=
for package in slurm-wlm munge; do
    dpkg-query -W -f '${Status}' $package 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || fail "no apt-get; install by hand:$missing"
    apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
        fail "cannot install$missing"
fi

dir=$(mktemp -d /tmp/warplens-slurm.XXXXXX)
chmod 755 "$dir"
mkdir -m 700 "$dir/key" "$dir/state" "$dir/spool"
mkdir "$dir/run" "$dir/out"
export SLURM_CONF="$dir/slurm.conf"
port=$((20000 + $$ % 20000))
cat >"$SLURM_CONF" <<CONF
ClusterName=warplens
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
KillWait=2
MailProg=/bin/true
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=10 State=UP
CONF

dd if=/dev/urandom of="$dir/key/key" bs=1024 count=1 2>/dev/null
chmod 600 "$dir/key/key"
munged --foreground --force --socket="$dir/run/munge.socket" --key-file="$dir/key/key" \
    --pid-file="$dir/run/munged.pid" --seed-file="$dir/key/seed" --log-file="$dir/munged.log" \
    >"$dir/munged.err.log" 2>&1 &
munged_pid=$!
slurmctld -D -i -f "$SLURM_CONF" >"$dir/slurmctld.err.log" 2>&1 &
ctld_pid=$!
slurmd -D -f "$SLURM_CONF" -N node1 >"$dir/slurmd.err.log" 2>&1 &
slurmd_pid=$!

tries=0
until timeout 3 sinfo -h -o %T 2>/dev/null | grep -q '^idle'; do
    tries=$((tries + 1))
    for pid in $munged_pid $ctld_pid $slurmd_pid; do
        kill -0 "$pid" 2>/dev/null || fail "a daemon of Slurm ended at its start"
    done
    [ $tries -lt 20 ] || fail "the node does not come up: $(timeout 3 sinfo -h -o '%T %E' 2>&1)"
    sleep 0.5
done

# Jobs of some tenths of a second each, so that there is time to kill a task half way.
args="transpose,transpose_naive,copy -p width=256,512,1024 -p height=256,512,1024 --gpu gtx280,h200"
submit() { # submit TASKS: waits for the array job
    timeout 120 sbatch --wait --quiet --array="$1" --chdir="$dir/out" --output="$dir/out/task-%a.log" \
        --open-mode=append --wrap "$warplens sweep $args \
            --shard \$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT -o shard-\$SLURM_ARRAY_TASK_ID.jsonl"
}
submit 1-4 &
submit_pid=$!
tries=0
until [ -s "$dir/out/shard-1.jsonl" ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "no task of the array writes: $(cat "$dir"/out/task-*.log)"
    sleep 0.05
done
task=$(squeue -h -r -o '%F_%K' | grep '_1$') || fail "task 1 ended before it could be killed"
scancel --signal=KILL "$task" || fail "task 1 cannot be killed"
wait $submit_pid && fail "the array ended well although one of its tasks was killed"
submit_pid=
killed=$(wc -l <"$dir/out/shard-1.jsonl")
"$warplens" merge "$dir"/out/shard-*.jsonl >/dev/null 2>"$dir/missing.log" &&
    fail "merge does not see that jobs are missing"

# Alone, the task counts one task of one: it must not take its file for that.
submit 1 && fail "a task that was submitted alone does not see that its file is of another shard"
grep -q 'a line of shard 1/4, not 1/1' "$dir/out/task-1.log" || fail "a task alone says: $(cat "$dir/out/task-1.log")"
[ "$(wc -l <"$dir/out/shard-1.jsonl")" -eq "$killed" ] || fail "a task alone has changed its file"
scontrol requeue "$task" || fail "task 1 cannot be requeued"
scontrol update JobId="$task" StartTime=now # else it begins after two minutes
tries=0
while squeue -h | grep -q .; do
    tries=$((tries + 1))
    [ $tries -lt 240 ] || fail "the requeued task does not end: $(squeue -h -o '%T %r')"
    sleep 0.5
done

"$warplens" sweep $args >"$dir/whole.jsonl" || fail "the unsharded sweep exits with $?"
"$warplens" merge "$dir"/out/shard-*.jsonl --format jsonl | cmp - "$dir/whole.jsonl" ||
    fail "the merged shards differ from the unsharded sweep"
finish 0 "PASSED: Slurm $(slurmctld -V | sed 's/[^0-9.]//g'), 4 tasks, one killed after $killed of \
$(wc -l <"$dir/out/shard-1.jsonl") jobs and requeued, merged to the bytes of the unsharded sweep"

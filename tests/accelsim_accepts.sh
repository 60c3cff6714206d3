#!/bin/sh
# Does what is exported obey the rules of Accel-Sim's own reader, as accelsim_accepts.py has them, and
# would that notice if it did not?
# Usage: accelsim_accepts.sh TEST_ACCELSIM_EXPORT PYTHON ACCELSIM_ACCEPTS
set -eu
export_to=$1
python=$2
accepts=$3
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT

"$export_to" "$directory/good"
"$python" "$accepts" "$directory/good/kernelslist.g"

# refused KERNEL SCRIPT: a kernel's file changed by sed is not accepted.
refused() {
    rm -rf "$directory/bad"
    cp -r "$directory/good" "$directory/bad"
    sed "$2" "$directory/good/kernel-$1.traceg" >"$directory/bad/kernel-$1.traceg"
    if cmp -s "$directory/good/kernel-$1.traceg" "$directory/bad/kernel-$1.traceg"; then
        echo "sed '$2' changes nothing"
        exit 1
    fi
    if "$python" "$accepts" "$directory/bad/kernelslist.g" 2>"$directory/message"; then
        echo "accepted in spite of sed '$2'"
        exit 1
    fi
}
refused 1 's/^insts = /insts = 1/'
refused 1 's/ LDG\.E/ LDX.E/'
refused 2 's/ EXIT 0 0 0$/ IMAD 0 0 0/'
refused 3 's/ BAR\.SYNC.*/ IMAD 0 0 0/;0,/IMAD/s/IMAD/BAR/'
refused 3 's/ \(STS[A-Z0-9.]* 2 R2 R[0-9]* [0-9]*\) \([12]\) 0x7f0000000/ \1 \2 0x7e0000000/'
refused 3 's/-enable lineinfo = 1/-enable lineinfo = 0/'

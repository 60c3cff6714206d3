#!/bin/sh
# check.sh WARPLENS - does `warplens check` tell of a trace what its form can tell, with the right status, and
# where a bound lies?
set -u
warplens=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

# want STATUS 'WORDS' ARGUMENTS...: the exit status, and a line of the output (no line, when it begins with !).
want() {
    status=$1 words=$2
    shift 2
    "$warplens" check "$@" >out 2>&1
    got=$?
    case $words in
    !*) ! grep -qF -- "${words#!}" out ;;
    *) grep -qF -- "$words" out ;;
    esac || { echo "FAILED: check $*: '$words'"; cat out; failures=$((failures + 1)); }
    [ $got -eq "$status" ] || { echo "FAILED: check $*: status $got, wanted $status"; failures=$((failures + 1)); }
}

# Lanes of a warp exchange words of shared memory.
cat >in_warp.txt <<'END'
warplens text trace 1
launch k grid=1 block=32
shared s bytes=128
  warp 0
    k.cu:3 st.shared.f32 base=s
    k.cu:4 ld.shared.f32 base=s+124 stride=-4
  end
endlaunch
END
want 3 'shared_read_write, from sm_70 on, in k' in_warp.txt
want 3 'store by block (0,0,0), thread (31,0,0)' in_warp.txt
want 3 's[31] of 4 bytes each (byte 124, shared); 32 words, 32 times' in_warp.txt
want 0 'nothing found' in_warp.txt --gpu gtx1080ti
want 3 'shared_read_write' in_warp.txt --gpu gtx1080ti,h200
want 0 'shared_read_write' in_warp.txt --error-exitcode 0
want 7 '"kind":"shared_read_write","holds":"from sm_70 on"' in_warp.txt --error-exitcode 7 --format json
want 2 'unknown option' in_warp.txt --rules-only
want 1 'in_warpp.txt' in_warpp.txt
want 3 '!note: Warps go on' in_warp.txt
sed 's/.*st.shared.*/&\n    syncwarp/' in_warp.txt >synced.txt
want 0 'nothing found' synced.txt
sed 's/.*st.shared.*/&\n    syncwarp lanes=0xffff mask=0xffff\n    syncwarp lanes=0xffff0000 mask=0xffff0000/' \
    in_warp.txt >halves.txt
want 3 'shared_read_write' halves.txt
sed 's/.*st.shared.*/&\n    exchange/' in_warp.txt >exchanged.txt
want 3 'shared_read_write' exchanged.txt

# Other forms: what they cannot hold is said, and not found.
"$warplens" trace convert in_warp.txt -o in_warp.wlt
want 3 'shared_read_write' in_warp.wlt
"$warplens" trace convert synced.txt -o synced.wlt
want 0 'nothing found' synced.wlt
printf '\001' | dd of=in_warp.wlt bs=1 seek=8 conv=notrunc 2>/dev/null
want 0 'The trace has no __syncwarp' in_warp.wlt
"$warplens" trace convert in_warp.txt -o in_warp.csv
want 0 'The trace has no __syncwarp' in_warp.csv
"$warplens" trace convert in_warp.csv -o again.txt
want 0 'The trace has no __syncwarp' again.txt

# Two warps: with a barrier, without, and one that goes on before the other has come.
cat >warps.txt <<'END'
warplens text trace 1
launch k grid=1 block=64
shared s bytes=256
  block 0 warp 0
    k.cu:3 st.shared.f32 base=s
  end
  block 0 warp 1
    k.cu:5 ld.shared.f32 base=s
  end
endlaunch
END
want 3 'shared_read_write, on every GPU, in k' warps.txt
sed 's/    k.cu:3.*/&\n    bar/; s/    k.cu:5/    bar\n&/' warps.txt >barrier.txt
want 0 'nothing found' barrier.txt
sed 's/    k.cu:3.*/    bar\n&/; s/    k.cu:5.*/&\n    bar/' warps.txt >early.txt
want 0 'note: Warps go on in the trace before others have come' early.txt

# Blocks: an atomic behind a fence orders, one without does not.
cat >blocks.txt <<'END'
warplens text trace 1
array a bytes=4
array ticket bytes=4
launch k grid=2 block=1
  block 0 warp 0
    k.cu:3 st.global.u32 base=a
    fence.device
    k.cu:5 atom.global.u32 base=ticket
  end
  block 1 warp 0
    k.cu:5 atom.global.u32 base=ticket
    k.cu:7 ld.global.u32 base=a
  end
endlaunch
END
want 0 'nothing found' blocks.txt
sed '/fence/d' blocks.txt >unfenced.txt
want 3 'global_read_write, on every GPU, in k' unfenced.txt
sed 's/fence.device/exchange/' blocks.txt >other.txt
want 3 'global_read_write' other.txt

# More pairs of lines than there is room for are a number.
{
    printf 'warplens text trace 1\nlaunch k grid=1 block=64\nshared s bytes=256\n  block 0 warp 0\n'
    printf '    k.cu:1 st.shared.f32 base=s\n  end\n  block 0 warp 1\n'
    i=2
    while [ $i -le 301 ]; do
        printf '    k.cu:%d ld.shared.f32 base=s\n' $i
        i=$((i + 1))
    done
    printf '  end\nendlaunch\n'
} >many.txt
want 3 'many.txt: 256 findings' many.txt
want 3 '1,408 more, at further pairs of lines' many.txt

[ $failures -eq 0 ] || exit 1
echo "all is told"

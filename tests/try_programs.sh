#!/bin/sh
# try_programs.sh SOURCE_ROOT - does tools/try_programs.sh take programs for right, wrong, refused or slow by what they say and how
# they end, and by nothing else? The programs are scripts here, and so is what runs them in place of warplens.
set -u
tools=$(realpath "$1")/tools
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }

mkdir programs
cat >warplens <<'END'
#!/bin/sh
shift
. "./$1"
END
cat >nvcc <<'END'
#!/bin/sh
for file; do :; done
grep -q 'nvcc is slow' "$file" && exec sleep 30
! grep -q 'nvcc fails' "$file" || { echo 'x.cu(3): error'; exit 1; }
END
chmod +x warplens nvcc
no_compile='echo "warplens run: x.cu: does not compile (/usr/bin/g++); it says:" >&2; echo "lib/x.cu:3:4: error: no \"foo\"" >&2; exit 2'
stopped='echo "warplens: k.cu:3: in k: assertion failed" >&2; echo "warplens run: k.cu: the run failed: the report has what was complete before, and why" >&2; exit 2'

# result | message | last column of the list | program
cat >cases <<END
verified|||echo 'Test PASSED'
verified|||echo 'Result = PASS'
verified|||echo 'Test passed'
verified|||echo 'Success!'
verified|||echo 'Arrays match.'
verified|||echo 'sample completed, returned OK'
verified|||echo '-> Test Results: 0 Failures'
verified|||echo 'Max error: 0.000000'
verified|||echo 'Outputs Beyond Error Threshold of 0.05 Percent: 0'
verified|||echo 'All values correct'
verified|||echo '> TEST SUCCESSFUL, with precision: 1e-15'
verified|||echo 'Max absolute error: 0.000000E+00'
verified|||echo 'Test Summary:  Error amount = 0.000000'
ran|||echo 'Max absolute error: 0.000000E+01'; echo 'Error amount = 0.000100'
verified|||echo 'Device assert failed as expected'; echo 'completed, returned OK'
verified||status|echo 'comparing'
verified|k.cu:3: in k: assertion failed||echo 'returned OK'; $stopped
ran|||echo 'Max error: 0.5'
ran|||echo 'Max error: 0.05'
ran|||echo 'sum 3 of 3, pass 1 of 2, successfully opened'
ran|||:
wrong|Arrays do not match.||echo 'Arrays do not match.'
wrong|Test FAILED||echo 'Test PASSED'; echo 'Test FAILED'
wrong|Test failed!|status|echo 'Test failed!'
wrong|1 mismatches||echo '1 mismatches'
wrong|Incorrect result||echo 'Incorrect result'
wrong|Outputs Beyond Error Threshold of 0.05 Percent: 17||echo 'Outputs Beyond Error Threshold of 0.05 Percent: 17'
wrong|k.cu: the program ended with status 1|status|echo 'Test PASSED'; echo 'warplens run: k.cu: the program ended with status 1' >&2; exit 2
refused|k.cu:4: CUB cannot run under warplens: no||echo 'warplens run: sub/k.cu:4: CUB cannot run under warplens: no' >&2; exit 2
refused|k.cu:3: in k: assertion failed||$stopped
refused|x.cu:3:4: error: no 'foo'||$no_compile
refused|x.cu:3:4: error: no 'foo'||: nvcc is slow; $no_compile
invalid|x.cu:3:4: error: no 'foo'||: nvcc fails; $no_compile
slow|not done in 1 s||exec sleep 30
slow|not done in 1 s||while :; do :; done
slow|not done in 1 s||echo 'warplens run: k.cu: the program was ended by signal 24 (CPU time limit exceeded)' >&2; exit 2
slow|not done in 1 s||echo 'warplens run: k.cu: the program was stopped: it took longer than --timeout allows' >&2; exit 2
END
number=0
while IFS='|' read -r result message checks program; do
    number=$((number + 1))
    echo "$program" >"programs/p$number.cu"
    echo "p$number | programs | p$number.cu | | $checks"
    echo "p$number,$result,\"$message\"" >>want
done <cases >list
WARPLENS=./warplens NVCC=$dir/nvcc TIME_LIMIT=1 sh "$tools/try_programs.sh" list . out.csv >log 2>&1 || fail "$(cat log)"
tail -n +2 out.csv | sed 's/^\([^,]*,[^,]*\),[0-9]*,/\1,/' >got
diff want got || failed=1

# What is there is not tried again, but for those that are asked for; files are made, and arguments name them.
echo 'exit 9' >programs/p1.cu
AGAIN="slow refused" WARPLENS=./warplens NVCC=$dir/nvcc TIME_LIMIT=1 sh "$tools/try_programs.sh" list . out.csv p34 >log 2>&1
[ "$(grep -c slow out.csv)" = 1 ] || fail "again: $(cat out.csv)"
grep -q '^p1,verified' out.csv || fail 'what is there is tried again'
printf 'file | text | 20\nsource | a/b | 0 | c\nfiles | programs | files.cu -DX | @text\n' >list
cat >programs/files.cu <<'END'
for last; do :; done
[ "$(wc -c <"$last")" = 20 ] && case "$* " in *' -DX '*) echo 'Test passed' ;; esac
END
WARPLENS=./warplens sh "$tools/try_programs.sh" list . files.csv >log 2>&1
grep -q '^files,verified' files.csv || fail "files: $(cat files.csv log)"

# A size is made smaller in a copy: the program is as it was.
printf 'size | N=[0-9][0-9]* | N=3\nsmall | programs | small.cu |\n' >list
echo 'N=4000; [ "$N" = 3 ] && echo "Test passed"' >programs/small.cu
WARPLENS=./warplens sh "$tools/try_programs.sh" list . small.csv >log 2>&1
grep -q '^small,verified' small.csv || fail "sizes: $(cat small.csv log)"
grep -q 4000 programs/small.cu || fail 'the program itself is changed'
exit $failed

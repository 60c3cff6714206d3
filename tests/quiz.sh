#!/bin/sh
# quiz.sh WARPLENS ROOT - what a person meets who takes the quiz: answers through a pipe, nonsense, the end
# of the input, one message an error; and are the lessons there that it names?
set -u
warplens=$1 root=$2
. "$(dirname "$0")/checks.sh"

# refuses PATTERN ARGUMENTS...: exit status 2, one line of message that matches, no output.
refuses() {
    pattern=$1
    shift
    "$warplens" quiz "$@" >"$dir/out" 2>"$dir/err" </dev/null
    [ $? -eq 2 ] || fail "'quiz $*' does not exit with 2"
    is_message "quiz $*" "$pattern"
}

# answers TYPED ARGUMENTS...: exit status 0, no message; the dialogue is in $dir/out.
answers() {
    printf "$1" >"$dir/in"
    shift
    "$warplens" quiz "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" || fail "'quiz $*' exits with $?"
    [ -s "$dir/err" ] && fail "'quiz $*' wrote a message: $(cat "$dir/err")"
}

says() {
    grep -q -- "$1" "$dir/out" || fail "no line '$1' in: $(cat "$dir/out")"
}

refuses 'unknown kernel or topic bancs; did you mean banks' bancs
refuses 'topics are coalescing, copy, ' nonsense
refuses 'one kernel or topic at most' banks copy
refuses 'unknown GPU gtx28; did you mean gtx280' --gpu gtx28
refuses 'allowed is 1 to 200' -n 0
refuses 'allowed is 1 to 200' -n 201
refuses 'allowed is a whole number from 0 on' --seed x
refuses 'allowed is a whole number from 0 on' --seed -1
refuses 'allowed is text or markdown' --list --format json
refuses 'go with --list' -o "$dir/sheet"
refuses 'go with --list' --format markdown
refuses '-p n: allowed with the name of one kernel' -p n=64
refuses 'allowed for strideCopy is 1 to 64' strideCopy -p stride=65
refuses 'impossible parameters: n=192 is no multiple of block=128' strideCopy -p n=192 -p block=128
refuses 'setRowReadCol: a block of 32 x 32 x 1 = 1024 threads: gtx280 allows 1 to 512' setRowReadCol --gpu gtx280

# 32 words, 20 bytes apart, in 624 bytes: all of the 20 sectors there, none is skipped.
answers 'abc\n3\n7\n' strideCopy -p stride=5 -p n=64 -p block=64 --gpu h200
says '^Seed 1 '
says '^-- Question 1 of 10$'
says '^strideCopy with n=64 block=64 stride=5, copy.c:14$'
says '^    odata\[xid\] = idata\[xid\];$'
says '^> abc$'
says '^Allowed is a whole number'
says '^No, it is 20 sectors of 32 bytes.$'
says '^Steps:$'
says '^Score: 0 right, 2 wrong, 0 skipped; 8 of 10 not asked, as there is nothing new to ask.$'
answers '20\n20\n' strideCopy -p stride=5 -p n=64 -p block=64 --gpu h200 -n 2
says '^Right: 20 sectors of 32 bytes.$'
says '^Score: 2 right, 0 wrong, 0 skipped.$'
answers '' -n 3
says '^Score: 0 right, 0 wrong, 0 skipped; 3 of 3 not asked.$'

# A sheet's answers, typed in, are all right.
"$warplens" quiz --list -n 25 --seed 5 >"$dir/sheet" || fail "no sheet"
sed -n 's/^-- [0-9]*: \([0-9]*\) .*/\1/p' "$dir/sheet" >"$dir/typed"
[ "$(wc -l <"$dir/typed")" -eq 25 ] || fail "a sheet of 25 has $(wc -l <"$dir/typed") answers"
answers "$(cat "$dir/typed")" -n 25 --seed 5
says '^Score: 25 right, 0 wrong, 0 skipped.$'
"$warplens" quiz --list -n 25 --seed 5 -o "$dir/again" && cmp -s "$dir/sheet" "$dir/again" ||
    fail "the same seed gives another sheet"

# Every lesson that is named is there, and more than one is.
yes 0 | head -n 60 >"$dir/in"
"$warplens" quiz -n 60 <"$dir/in" | sed -n 's/^Lesson: //p' | sort -u >"$dir/lessons"
[ "$(wc -l <"$dir/lessons")" -ge 5 ] || fail "few lessons: $(cat "$dir/lessons")"
while read -r lesson; do
    [ -f "$root/$lesson" ] || fail "there is no lesson $lesson"
done <"$dir/lessons"
# Matrices have a lesson of their own.
lesson=docs/course/14-fragments.md
"$warplens" quiz hgemmPlain --gpu h200 -n 60 <"$dir/in" | grep -q "^Lesson: $lesson$" || fail "no lesson for ldmatrix"
[ -f "$root/$lesson" ] || fail "there is no lesson $lesson"

exit $((failed > 0))

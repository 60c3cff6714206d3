#!/bin/sh
# try_programs.sh LIST SOURCES OUT.csv [NAME...] - which of other people's CUDA programs run, as they are published?
#
# LIST (tools/programs/*.txt) says where each program is below SOURCES, a copy of the repository that the list names, and with which
# arguments it runs. OUT.csv: "program,result,seconds,message"; where it exists, programs that it has are not tried again.
#
#   verified   ran to its end, status 0, and says itself that its results are right
#   ran        ran to its end, status 0, and says nothing of its results
#   wrong      ran to its end, and says that they are not, or has another status
#   refused    cannot run here; the message says why
#   slow       took more than TIME_LIMIT seconds of wall time (120)
#
# WARPLENS names the command (build/warplens), OPTIONS what else it is told (--rules-only --gpu h200). A program runs in its own folder,
# where its data are.
set -u
list=$1 sources=$(cd "$2" && pwd) out=$3
shift 3
case $out in /*) ;; *) out=$PWD/$out ;; esac
warplens=${WARPLENS:-build/warplens}
case $warplens in */*) warplens=$(cd "$(dirname "$warplens")" && pwd)/$(basename "$warplens") ;; esac
options=${OPTIONS:---rules-only --gpu h200}
limit=${TIME_LIMIT:-120}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
[ -s "$out" ] || echo 'program,result,seconds,message' >"$out"
include=

trim() {
    echo "$1" | sed 's/^ *//; s/ *$//'
}

# What a program says when it has compared its results: passed, or not.
says_right() {
    grep -Eiq '(^|[^a-z])(pass|passed|passes)([^a-z]|$)|success|correct|results? (match|ok)|= *ok|ok!|no errors? found|verified' "$work/out"
}
says_wrong() {
    grep -Eiq '(^|[^a-z])(fail|failed|failure|mismatch|incorrect|wrong)([^a-z]|$)|not (match|correct|equal)' "$work/out"
}

# The first message of warplens without its own name and folders, in quotes.
message() {
    sed -n "s/^warplens run: //p; s/^warplens: //p" "$work/err" | head -n 1 | sed "s|$sources/||g; s|[^ ]*/||; s/\"/'/g" | cut -c1-180
}

# try NAME FOLDER SOURCES ARGUMENTS
try() {
    first=${3%% *} rest=
    for more in ${3#"$first"}; do
        rest="$rest --with $more"
    done
    begin=$(date +%s)
    # shellcheck disable=SC2086
    (cd "$sources/$2" && timeout "$limit" "$warplens" run "$first" $rest $include -I . $options -o "$work/report" -- $4) \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    seconds=$(($(date +%s) - begin))
    if [ $status -eq 124 ]; then
        result=slow
    elif [ $status -eq 0 ] && says_right && ! says_wrong; then
        result=verified
    elif [ $status -eq 0 ] && ! says_wrong; then
        result=ran
    elif grep -q 'the program ended with status' "$work/err" || [ $status -eq 0 ]; then
        result=wrong
    else
        result=refused
    fi
    echo "$1,$result,$seconds,\"$(message)\"" >>"$out"
    echo "$1: $result, $seconds s: $(message)"
}

while IFS='|' read -r name folder files arguments; do
    name=$(trim "$name")
    case $name in
    '' | '#'*) continue ;;
    include)
        for part in $folder; do
            include="$include -I $sources/$part"
        done
        continue
        ;;
    options)
        options="$options $folder"
        continue
        ;;
    esac
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    grep -q "^$name," "$out" || try "$name" "$(trim "$folder")" "$(trim "$files")" "$(trim "$arguments")"
done <"$list"

tail -n +2 "$out" | cut -d, -f2 | sort | uniq -c

#!/bin/sh
# try_programs.sh LIST SOURCES OUT.csv [NAME...] - which of other people's CUDA programs run, as they are published?
#
# LIST (tools/programs/*.txt) says where each program is below SOURCES, a copy of the repository that the list names, with which
# arguments it runs (@NAME: the file that a line "file | NAME | BYTES" makes), and of which the exit status alone says whether the
# results are right ("status" in the last column). OUT.csv: "program,result,seconds,message"; where it exists, programs that it has are
# not tried again, but for those with a result that AGAIN names (AGAIN="slow wrong").
#
#   verified   ran to its end, status 0, and says itself that its results are right
#   ran        ran to its end, status 0, and says nothing of its results
#   wrong      ran to its end, and says that they are not, or has another status
#   refused    cannot run here; the message says why
#   invalid    does not compile here, and not with nvcc either (NVCC names it; without one such a program counts as refused)
#   slow       took more than TIME_LIMIT seconds (120): of one processor in the program's process or in warplens's, which run beside
#              each other, so that it is the wall time of a machine that has two processors and nothing else to do; or thrice that by the clock
#
# A line "size | FROM | TO", in front of the programs, is for those that are too large as they are published: the sources are copied, and what
# the expression FROM finds (as sed has it) is TO in the copy.
#
# WARPLENS names the command (build/warplens), OPTIONS what else it is told (--rules-only --gpu h200), KEEP a folder for what each
# program has printed (NAME.out, NAME.err). A program runs in its own folder, where its data are.
set -u
list=$1 sources=$(cd "$2" && pwd) out=$3
shift 3
case $out in /*) ;; *) out=$PWD/$out ;; esac
warplens=${WARPLENS:-build/warplens}
case $warplens in */*) warplens=$(cd "$(dirname "$warplens")" && pwd)/$(basename "$warplens") ;; esac
options=${OPTIONS:---rules-only --gpu h200}
limit=${TIME_LIMIT:-120}
nvcc=${NVCC:-nvcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
keep=${KEEP:-$work}
mkdir -p "$keep"
keep=$(cd "$keep" && pwd)
[ -s "$out" ] || echo 'program,result,seconds,message' >"$out"
for again in ${AGAIN:-}; do
    grep -v "^[^,]*,$again," "$out" >"$work/rest"
    cp "$work/rest" "$out"
done
include=

trim() {
    echo "$1" | sed 's/^ *//; s/ *$//'
}

# What a program says when it has compared its results: lines that state a verdict, and no others.
says_right() {
    judged | grep -Eq 'PASS|(^|[^a-z])[Pp]ass(ed|es)([^a-z]|$)|returned OK|&&&& .* OK|Threshold of .* Percent: 0$' ||
        judged | grep -Eiq '(^|[^a-z])success(ful)?([.! ]*$)|(is|are|all|results?|values?) correct|^correct|arrays? match|results?:? (match|ok)|= *ok|ok!|tests? (ok|succeeded|successful)|we did it!' ||
        judged | grep -Eiq '(^|[^0-9])0 (errors|failures|mismatches)|no errors? found|(max(imum)?( absolute)? error|error amount) *[:=]+ *0([.]0+)?(e[+-]0+)?( |$)'
}
says_wrong() {
    judged | grep -Eiq "$wrong"
}
wrong='(^|[^a-z])(fail|failed|failure|mismatch|incorrect|wrong)([^a-z]|$)|not (match|correct|equal)|returned error'
wrong="$wrong|(^|[^0-9])[1-9][0-9]* (errors|failures|mismatches)|Threshold of .* Percent: [1-9]"
judged() {
    grep -v 'as expected' "$keep/$name.out"
}

# What the program says that is wrong; or the first message of warplens, or the compiler's first, without folders.
message() {
    if [ "$result" = slow ]; then
        echo "not done in $limit s"
    elif [ "$result" = wrong ] && says_wrong; then
        judged | grep -Ei -m 1 "$wrong"
    elif does_not_compile; then
        grep -m 1 -E 'error:|undefined reference' "$keep/$name.err"
    else
        sed -n 's/^warplens run: //p; s/^warplens: //p' "$keep/$name.err" | head -n 1
    fi | sed "s|$sources/||g; s|[^ ']*/\([^ /]*\.[a-z]*:\)|\1|g; s/\"/'/g" | cut -c1-240
}
does_not_compile() {
    grep -Eq 'does not (compile|preprocess|link) \(.*\); it says:' "$keep/$name.err"
}

# nvcc does not compile it either, and says so in the time that it has.
# shellcheck disable=SC2086
is_invalid() {
    does_not_compile && command -v "$nvcc" >"$work/where" || return 1
    (cd "$sources/$folder" && timeout $((2 * limit)) "$nvcc" -arch=sm_90 -w $include -I . -dc -odir "$work" $files) >"$work/nvcc" 2>&1
    grep -q 'error' "$work/nvcc"
}

judge() {
    if [ $status -eq 124 ] || [ $status -eq $((128 + SIGXCPU)) ] || grep -Eq "$took_too_long" "$keep/$name.err"; then
        echo slow
    elif grep -q 'the program ended with status' "$keep/$name.err"; then
        echo wrong
    elif [ $status -eq 0 ] || has_ended; then
        judge_words
    elif is_invalid; then
        echo invalid
    else
        echo refused
    fi
}
SIGXCPU=24
took_too_long="it took longer than --timeout allows|ended by signal $SIGXCPU "
# A launch that fails makes the status of warplens; a program may wait for that, and end with 0 itself.
has_ended() {
    grep -q 'the run failed: the report has what was complete' "$keep/$name.err" && { says_right || says_wrong; }
}
judge_words() {
    if says_wrong; then
        echo wrong
    elif says_right || [ "$checks" = status ]; then
        echo verified
    else
        echo ran
    fi
}

# Makes sizes smaller, in a copy of the sources that is made once.
resize() {
    case $sources in "$work"/*) ;; *)
        cp -r "$sources" "$work/sources"
        sources=$work/sources
        ;;
    esac
    find "$sources" -type f \( -name '*.cu' -o -name '*.cuh' -o -name '*.h' -o -name '*.cpp' \) \
        -exec sed -i "s/$1/$2/" {} +
}

# Of $name in $folder, with $files and $arguments.
try() {
    first=${files%% *} rest=
    for more in ${files#"$first"}; do
        case $more in -*) rest="$rest $more" ;; *) rest="$rest --with $more" ;; esac
    done
    begin=$(date +%s)
    # shellcheck disable=SC2086
    (cd "$sources/$folder" && ulimit -S -t "$limit" && timeout $((4 * limit)) "$warplens" run "$first" $rest $include -I . $options \
        --timeout $((3 * limit)) -o "$work/report" -- $arguments) \
        >"$keep/$name.out" 2>"$keep/$name.err" </dev/null
    status=$?
    seconds=$(($(date +%s) - begin))
    result=$(judge)
    echo "$name,$result,$seconds,\"$(message)\"" >>"$out"
    echo "$name: $result, $seconds s: $(message)"
}

while IFS='|' read -r name folder files arguments checks; do
    name=$(trim "$name")
    case $name in
    '' | '#'* | source | note) continue ;;
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
    size)
        resize "$(trim "$folder")" "$(trim "$files")"
        continue
        ;;
    file)
        yes "a file of bytes" | head -c "$(trim "$files")" >"$work/$(trim "$folder")"
        continue
        ;;
    esac
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    folder=$(trim "$folder") files=$(trim "$files") arguments=$(trim "$arguments" | sed "s|@|$work/|g") checks=$(trim "$checks")
    grep -q "^$name," "$out" || try
done <"$list"

tail -n +2 "$out" | cut -d, -f2 | sort | uniq -c

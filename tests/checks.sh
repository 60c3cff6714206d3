# checks.sh - what test scripts share; they begin with  . "$(dirname "$0")/checks.sh"
# Makes a folder, $dir, that is gone when the script ends, and counts what fails in $failed.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}

# is_message WHAT PATTERN: WHAT has left one line of message that matches in $dir/err, and no output in $dir/out.
is_message() {
    [ -s "$dir/out" ] && fail "'$1' wrote to standard output"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "'$1' wrote $(wc -l <"$dir/err") lines of message"
    grep -q -- "$2" "$dir/err" || fail "'$1' says: $(cat "$dir/err") -- expected $2"
}

# needs_headers LIBRARY HEADER PACKAGE [INCLUDE]: ends as skipped (77) where programs cannot include HEADER of a library of CUDA's,
# when the message, and nothing else, says which package has it.
needs_headers() {
    printf '#include <%s>\nint main() {}\n' "$2" >"$dir/header.cu"
    (cd "$dir" && "$warplens" run header.cu ${4:+-I "$4"} >out 2>err)
    grep -q "$1 without its headers" "$dir/err" || return
    [ "$(cat "$dir/err")" = "warplens run: header.cu:1: #include <$2>: $1 without its headers cannot run under warplens:\
 install them ($3 on Debian and Ubuntu), or name their folder with -I (include/cccl of a CUDA toolkit)" ] ||
        { fail "the message: $(cat "$dir/err")"; exit 1; }
    echo "no $1 here"
    exit 77
}

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

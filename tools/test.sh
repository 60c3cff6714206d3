#!/bin/sh
# test.sh [gcc] [clang] [sanitize] [source] - builds and runs every test: with gcc, with clang, with gcc under address
# and undefined-behaviour sanitizers; and checks the source's layout. Without a word, all of them.
# Ends with the line "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
sh tools/setup.sh test || exit 1
base=${WARPLENS_TEST_BUILD:-build-test}
parts=${*:-gcc clang sanitize source}
for part in $parts; do
    case $part in gcc | clang | sanitize | source) ;; *)
        echo "tools/test.sh: $part: allowed are gcc, clang, sanitize and source" >&2
        exit 2
        ;;
    esac
done
passed=0
failed=0

# wants NAME: is this part asked for?
wants() {
    case " $parts " in *" $1 "*) ;; *) return 1 ;; esac
}

# count NAME STATUS: one check of this script itself.
count() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED: $1"
    fi
}

# configuration NAME COMPILER [meson options]: configure, build without a warning, test.
configuration() {
    name=$1 compiler=$2
    shift 2
    wants "$name" || return
    echo "== $name"
    if [ -f "$base/$name/build.ninja" ]; then set -- --reconfigure "$@"; fi
    CC=$compiler meson setup "$base/$name" . -Dwerror=true -Dtests=enabled "$@" >"$base.log" 2>&1 &&
        ninja -C "$base/$name" >>"$base.log" 2>&1
    built=$?
    count "$name: builds without a warning" $built
    [ $built -eq 0 ] || { tail -n 40 "$base.log"; return; }
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=detect_stack_use_after_return=0 \
        meson test -C "$base/$name" --print-errorlogs >"$base.log" 2>&1
    sed -n '/^ *[0-9][0-9]*\/[0-9]/p' "$base.log" | sed 's/^/   /'
    grep -q '^Fail: *0' "$base.log" || sed -n '1,200p' "$base.log"
    ok=$(sed -n 's/^Ok: *\([0-9][0-9]*\).*/\1/p' "$base.log")
    bad=$(sed -n 's/^\(Fail\|Timeout\|Unexpected Pass\): *\([0-9][0-9]*\).*/\2/p' "$base.log" |
        awk '{n += $1} END {print n + 0}')
    passed=$((passed + ${ok:-0}))
    failed=$((failed + ${bad:-0}))
    [ -n "$ok" ] || count "$name: meson test" 1
}

mkdir -p "$base"
configuration gcc gcc
if wants gcc; then
    WARPLENS_BUILD=$base/gcc sh tools/demo.sh >"$base.log" 2>&1
    demo=$?
    count "tools/demo.sh" $demo
    [ $demo -eq 0 ] || tail -n 20 "$base.log"
fi
configuration clang clang -Dcuda=disabled
# Of debug information the lines are enough: a quarter of the time less.
configuration sanitize gcc -Dcuda=disabled -Db_sanitize=address,undefined -Ddebug=false -Dc_args=-g1

if wants source; then
    echo "== source"
    clang-format --dry-run --Werror $(git ls-files '*.c' '*.h' 2>/dev/null || find src include traces tests -name '*.[ch]') \
        >"$base.log" 2>&1
    format=$?
    count "clang-format" $format
    [ $format -eq 0 ] || head -n 20 "$base.log"
fi

rm -f "$base.log"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/sh
# library.sh MESON BUILD SOURCE WARPLENS CC CXX - installed, does the library serve programs that know
# nothing but pkg-config? The examples are compiled, run, and are what docs/library.md shows. CXX may be
# "none".
set -u
meson=$1 build=$2 source=$3 warplens=$4 cc=$5 cxx=$6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}

"$meson" install -C "$build" --no-rebuild --destdir "$dir/root" >"$dir/log" 2>&1 || {
    cat "$dir/log"
    fail "meson install"
    exit 1
}
pc=$(find "$dir/root" -name warplens.pc)
lib=$(dirname "$(dirname "$pc")")
flags=$(PKG_CONFIG_SYSROOT_DIR=$dir/root PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs --static warplens) ||
    fail "pkg-config"
version=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --modversion warplens)
[ "$("$warplens" --version)" = "warplens $version" ] || fail "pkg-config says version $version"
LD_LIBRARY_PATH=$lib
export LD_LIBRARY_PATH
strict="-O1 -Wall -Wextra -Wpedantic -Werror"

# What is installed: the headers, those of CUDA programs among them, and of names only warplens.h's.
(cd "$source/include" && find . -type f | sort) >"$dir/headers"
(cd "$(find "$dir/root" -type d -name include)" && find . -type f | sort) | cmp -s - "$dir/headers" ||
    fail "other headers are installed than there are"
if [ -e "$lib/libwarplens.so" ]; then
    nm -D --defined-only "$lib/libwarplens.so" | awk '{print $3}' | sort >"$dir/exported"
    grep -o 'warplens_[a-z_]*(' "$source/include/warplens/warplens.h" | tr -d '(' |
        sort -u >"$dir/named"
    grep -v '^warplens_' "$dir/exported" && fail "the library exports other names"
    grep -vxFf "$dir/exported" "$dir/named" && fail "functions of the header are not exported"
    objdump -p "$lib/libwarplens.so" | awk '/NEEDED/ {print $2}' |
        grep -vE '^(libc|libm|ld-linux.*)\.so' && fail "the library needs more than libc and libm"
fi

# shows FILE NAME: whether the document's block behind the mark of that name is the file.
shows() {
    awk -v mark="<!-- $2 -->" '$0 == mark {on = 1; next} on && /^```/ {if (inside) exit; inside = 1; next}
        inside' "$source/docs/library.md" >"$dir/block"
    [ -s "$dir/block" ] || fail "docs/library.md has no block of $2"
    diff -u "$dir/block" "$1" || fail "docs/library.md shows another $2"
}

# compile COMPILER SOURCE NAME FLAGS...
compile() {
    compiler=$1 file=$2 name=$3
    shift 3
    # shellcheck disable=SC2086
    $compiler $strict "$file" -o "$dir/$name" $flags "$@" >"$dir/log" 2>&1 || {
        cat "$dir/log"
        fail "$file does not compile"
    }
}

examples=$source/examples/library
compile "$cc" "$examples/stride.c" stride -std=c11
"$dir/stride" >"$dir/stride.out" 2>&1 || fail "stride exits with $?"
shows "$examples/stride.c" stride.c
shows "$dir/stride.out" "output of stride.c"

"$warplens" trace record transpose -o "$dir/transpose.wlt" || fail "trace record"
"$warplens" trace record transpose_naive -o "$dir/naive.wlt" || fail "trace record"
shows "$examples/lines.cpp" lines.cpp
if [ "$cxx" != none ]; then
    compile "$cxx" "$examples/lines.cpp" lines -std=c++11
    "$dir/lines" "$dir/naive.wlt" >"$dir/lines.out" 2>&1 || fail "lines exits with $?"
    shows "$dir/lines.out" "output of lines.cpp"
    "$dir/lines" /nowhere.wlt >"$dir/out" 2>"$dir/err" && fail "lines takes a file that is not there"
    grep -q '^/nowhere.wlt: No such file' "$dir/err" || fail "lines says: $(cat "$dir/err")"
fi

# The test of a kernel: it passes, and fails with a message that says why.
shows "$examples/test_kernel.c" test_kernel.c
compile "$cc" "$examples/test_kernel.c" test_kernel -std=c11 -lcmocka
TRACE=$dir/transpose.wlt "$dir/test_kernel" >"$dir/out" 2>&1 || fail "test_kernel: $(cat "$dir/out")"
sed 's/"gtx280"/"h200"/' "$examples/test_kernel.c" >"$dir/test_other.c"
compile "$cc" "$dir/test_other.c" test_other -std=c11 -lcmocka
TRACE=$dir/transpose.wlt "$dir/test_other" >"$dir/out" 2>&1 && fail "test_other holds on an H200"
grep -o 'array block on .*' "$dir/out" | head -n 1 >"$dir/message"
shows "$dir/message" "message of test_kernel.c"

# Byte for byte what the command line writes.
cat >"$dir/report.c" <<'END'
#include <warplens/warplens.h>
int main(int argc, char **argv)
{
    struct warplens_run *run = warplens_run_new();
    WARPLENS_ASSERT(run, argc == 2 && warplens_add_gpu(run, "m2090") && warplens_add_gpu(run, "sm_90"));
    WARPLENS_ASSERT(run, warplens_read_trace(run, argv[1], NULL));
    WARPLENS_ASSERT(run, warplens_report(run, WARPLENS_JSON, stdout));
    warplens_run_free(run);
    return 0;
}
END
compile "$cc" "$dir/report.c" report -std=c11
"$warplens" trace record reduce2 -p n=64k -o "$dir/reduce.wlt" || fail "trace record"
"$dir/report" "$dir/reduce.wlt" >"$dir/library.json" || fail "report exits with $?"
"$warplens" run "$dir/reduce.wlt" --gpu m2090,sm_90 --format json >"$dir/program.json"
cmp "$dir/library.json" "$dir/program.json" || fail "the library and the program report differently"
[ -s "$dir/library.json" ] || fail "an empty report"
"$dir/report" /nowhere.wlt >"$dir/out" 2>"$dir/err"
[ $? -gt 128 ] || fail "WARPLENS_ASSERT does not end the program"
grep -q 'report.c:6: /nowhere.wlt: No such file' "$dir/err" || fail "WARPLENS_ASSERT: $(cat "$dir/err")"

exit $((failed > 0))

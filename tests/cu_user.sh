#!/bin/sh
# cu_user.sh WARPLENS FOLDER - do programs of several files, folders and libraries run as their makefiles mean them,
# and is what cannot run told in one line of the program's own words? FOLDER has the programs.
# With each compiler that is here.
set -u
warplens=$(realpath "$1") || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$2" || exit 1
failed=0

fail() {
    failed=1
    echo "FAILED: $WARPLENS_CXX: $1"
    sed 's/^/    /' "$dir/out" "$dir/messages"
}

# runs NAME OUTPUT ARGUMENTS...: ends well, and its first line of output is the pattern.
runs() {
    name=$1 output=$2
    shift 2
    "$warplens" run "$@" --rules-only >"$dir/out" 2>"$dir/messages" </dev/null || fail "$name: exit status $?"
    eval "case \$(head -n 1 \"\$dir/out\") in $output) ;; *) fail \"\$name: output\" ;; esac"
    [ -s "$dir/messages" ] && fail "$name: messages"
}

# refused NAME MESSAGE ARGUMENTS...: one line of message, status 2.
refused() {
    name=$1 message=$2
    shift 2
    "$warplens" run "$@" --rules-only >"$dir/out" 2>"$dir/messages" </dev/null
    got=$?
    [ $got -eq 2 ] || fail "$name: exit status $got"
    [ "$(wc -l <"$dir/messages")" -eq 1 ] || fail "$name: not one line of message"
    eval "case \$(cat \"\$dir/messages\") in $message) ;; *) fail \"\$name: message\" ;; esac"
}

wrong() { # wrong LAUNCH MESSAGE
    refused "$1" "\"warplens run: wrong.cu:12: launch of $2" wrong.cu -D BYTES=8 -D "LAUNCH=$1"
}

# "" and folders: a header beside the program, then -I, then ours; a toolkit's folder is no part of the program.
each() {
    runs "folders of the program's own" '"3 5"' folders.cu -I toolkit -I own
    runs "our stand-ins" 1 ours.cu -I toolkit
    runs "several files" '"512 4 0.5"' main.cpp --with kernels.cu --with sum.c
    runs "headers of CUDA's in a C++ file" '"1.5 2"' host_headers.cpp --with kernels.cu
    runs "a C++ file without CUDA" 16 asks.cu --with plain.cpp
    runs "a C++ file with a kernel" 0 kernel.cpp
    runs "OpenMP" '"4950 1 1"' loops.cu
    grep -q 'parameters  openmp=one host thread' "$dir/out" || fail "OpenMP: the report does not say so"

    for gpu in 'gtx280 1024 512' '8800gtx 768 384' 'k20x 6144 384'; do
        set -- $gpu
        "$warplens" run memory.cu --rules-only --gpu "$1" >"$dir/out" 2>"$dir/messages" || fail "memory: exit status $?"
        [ "$(head -n 1 "$dir/out")" = "$2 $3 1 1" ] || fail "memory of a $1"
    done

    "$warplens" run shared_2d.cu --rules-only >"$dir/out" 2>"$dir/messages" && fail "a row too far: it runs"
    grep -q 'shared_2d.cu:10: in columns: .* at tile + 4096 bytes, outside every array: tile has 4096 bytes' \
        "$dir/messages" || fail "a row too far: message"

    wrong 'k<<<1, 1>>>(p)' 'k: "*" arguments"*": its parameters are (int"*", float)"'
    wrong 'k<<<1, 1>>>(p, 1, 2)' 'k: "*" arguments"*": its parameters are (int"*", float)"'
    wrong 'k<<<1, 1>>>(q, 1)' 'k: argument 1 is of type float"*", the parameter of type int"*'
    wrong 'k<<<1, 1>>>(p, b)' 'k: argument 2 is of type big, the parameter of type float"'
    wrong 'k<<<1, 1>>>((const int *)p, 1)' 'k: argument 1 is of type const int"*", the parameter "*'
    wrong 'd<<<1, 1>>>(p, 1, 2)' 'd: "*" arguments"*": its parameters are (int"*", float)"'
    wrong 'd<<<1, 1>>>(q)' 'd: "*float*'
    wrong 't<int><<<1, 1>>>(q, 1)' 't<int>: argument 1 is of type float"*", the parameter of type int"*'
    wrong 't<<<1, 1>>>(p, 1, 2)' 't: no matching function"*'
    wrong 'k<<<1>>>(p, 1)' 'k: between <<< and >>> stand the grid and the block"*'
    "$warplens" run wrong.cu -D BYTES=8 -D 'LAUNCH=k<<<1, 1>>>(p, 1), undeclared()' >"$dir/out" 2>"$dir/messages" &&
        fail "a name that is not there: it runs"
    grep -q 'launch of' "$dir/messages" && fail "a name that is not there: a launch is blamed"
    refused "too many parameters" \
        '"warplens run: wrong.cu:12: a kernel with more than 32764 bytes of parameters, which CUDA"*' \
        wrong.cu -D BYTES=32757 -D 'LAUNCH=large<<<1, 1>>>(b, p)' --gpu h200
    refused "too many for older GPUs" \
        '"warplens run: wrong.cu:12: a kernel with more than 4096 bytes of parameters, which CUDA"*' \
        wrong.cu -D BYTES=4089 -D 'LAUNCH=large<<<1, 1>>>(b, p)' --gpu gtx1080ti
}

compilers=0
for WARPLENS_CXX in g++ clang++; do
    export WARPLENS_CXX
    command -v "$WARPLENS_CXX" >/dev/null || continue
    each
    compilers=$((compilers + 1))
done
[ $compilers -gt 0 ] || exit 77
exit $failed

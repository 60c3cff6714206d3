#!/bin/sh
# installed.sh PREFIX VERSION SOURCE WARPLENS - does warplens work where it is installed, also when PREFIX
# lies below a root that is not "/"? SOURCE and WARPLENS, the one that was built, are there to compare with.
set -u
prefix=$1 version=$2 source=$3 built=$4
warplens=$prefix/bin/warplens
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
unset WARPLENS_HOME
failed=0

fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}

[ "$("$warplens" --version)" = "warplens $version" ] || fail "--version says $("$warplens" --version)"

# Two kernels of the gallery: lines, shared arrays and times as in the build. What a package adds to flags,
# or strips, must not change them.
for kernel in 'transpose -p width=256 -p height=256' 'localSpill -p blocks=4'; do
    for program in "$built" "$warplens"; do
        # shellcheck disable=SC2086
        "$program" run $kernel --gpu gtx280,h200 --format json || fail "$program run $kernel"
    done >"$dir/both.json"
    awk '{line[NR] = $0} END {for (i = 1; i <= NR / 2; i++) if (line[i] != line[NR / 2 + i]) exit 1; exit NR == 0}' \
        "$dir/both.json" || fail "the installed program counts otherwise: $kernel"
done

# Stripped, it must say so.
strip -o "$dir/stripped" "$warplens" && "$dir/stripped" run reduce0 >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'was stripped' "$dir/err" || fail "stripped, it says: $(cat "$dir/err")"

# The documents are there, their links hold, and an example runs as they say.
cd "$prefix/share/doc/warplens" || exit 1
diff -r "$source/docs" docs || fail "other documents are installed than there are"
for file in README.md docs/*.md; do
    grep -o '](\.*[A-Za-z][A-Za-z0-9_./-]*\.md' "$file" | sed 's/](//' | sort -u | while read -r link; do
        [ -e "$(dirname "$file")/$link" ] || echo "$file: $link"
    done
done >"$dir/links"
[ -s "$dir/links" ] && fail "links to nowhere: $(cat "$dir/links")"
if command -v g++ >/dev/null; then
    "$warplens" run examples/cuda/transpose.cu --gpu gtx280 --rules-only -- 64 >"$dir/out" 2>"$dir/err" ||
        fail "a CUDA program: $(cat "$dir/err")"
    grep -q '^tiled: PASSED' "$dir/out" || fail "a CUDA program prints $(head -n 3 "$dir/out")"
fi

# The manual page and the completions, where man and the shells look for them.
share=$prefix/share
[ -n "$(find "$share/man/man1" -name 'warplens.1*')" ] || fail "no manual page"
if command -v man >/dev/null; then
    MANPATH=$share/man man warplens 2>/dev/null | grep -q 'EXIT STATUS' || fail "man warplens"
fi
if [ -e /usr/share/bash-completion/bash_completion ]; then
    XDG_DATA_DIRS=$share bash --norc -c '. /usr/share/bash-completion/bash_completion
        _completion_loader warplens
        complete -p warplens' >"$dir/out" 2>&1
    grep -q '_warplens warplens' "$dir/out" || fail "bash-completion: $(cat "$dir/out")"
fi
if command -v fish >/dev/null; then
    HOME=$dir PATH=$prefix/bin:$PATH XDG_DATA_DIRS=$share fish -c \
        'complete --do-complete "warplens comp"' | grep -q '^compare' || fail "fish loads no completion"
fi
if command -v zsh >/dev/null; then
    functions=$(dirname "$(find "$share/zsh" -name _warplens)")
    zsh -f -c "fpath=($functions \$fpath); autoload -Uz compinit; compinit -u -D; print \$_comps[warplens]" |
        grep -q '^_warplens$' || fail "zsh finds no completion"
fi
exit $((failed > 0))

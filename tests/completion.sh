#!/bin/sh
# completion.sh WARPLENS PAGES SHELL SCRIPT - do the completions for a shell offer what the program takes?
# PAGES is where the build has them. Cases by hand are in completion/cases; the others come from what the
# program says itself: every option of every command's --help, and the GPUs for every --gpu.
set -u
warplens=$1 script=$2/$4 shell=$3
here=$(cd "$(dirname "$0")" && pwd)/completion
command -v "$shell" >/dev/null || { echo "no $shell here"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
LC_ALL=C HOME=$dir XDG_CONFIG_HOME=$dir XDG_DATA_HOME=$dir
export LC_ALL HOME XDG_CONFIG_HOME XDG_DATA_HOME
mkdir -p "$dir/files/more"
touch "$dir/files/mine.cu" "$dir/files/trace.wlt"

commands=$("$warplens" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
gpus=$("$warplens" gpus | awk 'NF && $2 ~ /^sm_/ {print $1; if ($3 == "*") print $2}' | sort | xargs)
[ -n "$commands" ] && [ -n "$gpus" ] || { echo "FAILED: no commands, or no GPUs"; exit 1; }
{
    sed '/^#/d' "$here/cases"
    echo "warplens :" $commands
    for command in $commands; do
        options=$("$warplens" help "$command" | sed -n 's/^  \(-.,* \)*\(--[a-z-]*\) .*/\2/p' | sort -u)
        echo "warplens $command --:" --help $options
        for option in $options; do
            [ "$option" != --gpu ] || echo "warplens $command --gpu : $gpus"
        done
    done
} >"$dir/cases"
sed 's/:[^:]*$//' "$dir/cases" >"$dir/lines"
# A tab between the line and each word.
while IFS= read -r case; do
    for word in ${case##*:}; do
        case $word in
        {*}) begin=${word#?} words=$(printf '%s\n' $gpus | grep "^${begin%?}") ;;
        *) words=$word ;;
        esac
        for word in $words; do printf '%s\t%s\n' "${case%:*}" "$word"; done
    done
done <"$dir/cases" | sort -u >"$dir/want"

cd "$dir/files" || exit 1
case $shell in
bash) bash --norc "$here/probe.bash" "$script" <"$dir/lines" >"$dir/out" ;;
fish) fish --no-config "$here/probe.fish" "$script" <"$dir/lines" >"$dir/out" ;;
zsh) zsh -f "$here/probe.zsh" "$script" "$dir/lines" "$dir/out" ;;
esac || { echo "FAILED: $shell ends with $?"; exit 1; }

# Shells give whole words, or what stands behind the last "=" or ","; with what is to follow, or without.
tab=$(printf '\t')
sed "s|[=:/]*\$||; s|$tab.*[=,]|$tab|; /$tab-h\$/d" "$dir/out" | sort -u >"$dir/got"
diff "$dir/want" "$dir/got" >"$dir/diff" || {
    echo "FAILED: $shell: < wanted, > offered"
    cat "$dir/diff"
    exit 1
}
echo "$(wc -l <"$dir/lines") command lines in $shell, $(wc -l <"$dir/got") words"

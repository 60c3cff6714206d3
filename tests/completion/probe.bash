# probe.bash SCRIPT <LINES - for each command line, what bash would offer at its end: "LINE<tab>WORD" for
# each word, as readline has them behind its last break.
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
source "$1" || exit 1

# Words as readline makes them: "=" and ":" are words of their own.
split() {
    local line=$1 word
    COMP_WORDS=()
    while [[ $line =~ ^\ *([^\ =:]+|[=:]+)(.*)$ ]]; do
        COMP_WORDS+=("${BASH_REMATCH[1]}")
        line=${BASH_REMATCH[2]}
    done
    [[ $1 == *[\ =:] ]] && COMP_WORDS+=('')
    [[ ${COMP_WORDS[-1]} == '' && $1 == *[=:] ]] && unset 'COMP_WORDS[-1]'
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
}

while IFS= read -r line; do
    split "$line"
    COMPREPLY=()
    _warplens warplens "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
    [[ ${#COMPREPLY[@]} -gt 0 ]] && printf "$line\t%s\n" "${COMPREPLY[@]}"
done
exit 0

# probe.zsh SCRIPT LINES OUTPUT - as probe.bash, by zsh: an interactive shell behind a terminal of its own
# completes each line in one widget, and what is given to compadd is written down.
zmodload zsh/zpty || exit 77

# What the shell behind the terminal does; its arguments are in the environment.
inner() {
    autoload -Uz compinit
    fpath=($PROBE_SCRIPT:h $fpath)
    compinit -u -D
    compadd() {
        local -a found
        if (( ! ${argv[(I)-[OAD]]} )); then
            builtin compadd -O found "$@"
            hits+=($found)
        fi
        builtin compadd "$@"
    }
    zle -C probe-offers list-choices _main_complete
    probe() {
        local line
        local -a hits
        while IFS= read -r line; do
            hits=()
            BUFFER=$line CURSOR=$#line
            zle probe-offers
            (( $#hits )) && print -rl -- "$line"$'\t'${^hits} >>$PROBE_OUTPUT
        done <$PROBE_LINES
        BUFFER=
        : >$PROBE_OUTPUT.done
    }
    zle -N probe
    bindkey '^G' probe
}

if [[ $PROBE_SCRIPT ]]; then
    inner
    return
fi
export PROBE_SCRIPT=$1 PROBE_LINES=$2 PROBE_OUTPUT=$3
: >$PROBE_OUTPUT
zpty shell zsh -f -i
zpty -w shell "source ${(q)0:A}; print re''ady"
zpty -r -m shell seen '*ready*' || exit 1
zpty -w -n shell $'\a'
for i in {1..600}; do
    [[ -e $PROBE_OUTPUT.done ]] && break
    zpty -r -t shell seen # else its output fills the terminal
    sleep 0.05
done
zpty -d shell
rm -f $PROBE_OUTPUT.done && [[ $i -lt 600 ]]

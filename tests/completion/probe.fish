# probe.fish SCRIPT <LINES - as probe.bash, by fish: whole words.
source $argv[1]; or exit 1
while read --local line
    for offer in (complete --do-complete $line)
        printf '%s\t%s\n' $line (string replace --regex '\t.*' '' -- $offer)
    end
end

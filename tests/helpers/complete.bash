# Prints how bash would complete the last word of a command line, as readline asks for it.
#
# usage: bash --norc complete.bash PRELUDE WORD...    PRELUDE is run first: it loads what completes;
#                                                      the words are cut as COMP_WORDS has them
eval "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE=$* COMP_POINT=${#COMP_LINE} COMP_TYPE=9
compopt() { :; } # is only for readline, and there is none
handler=$(complete -p "$1" 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
[[ -n $handler ]] || { echo "nothing completes $1" >&2; exit 1; }
"$handler" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
# Readline shows what is there twice, as a program in two folders of PATH, once.
printf '%s\n' "${COMPREPLY[@]}" | sed 's/ *$//; /^$/d' | sort -u

# Types lines into an interactive zsh, each with a tab, and prints "#LINE" and the words that it offers.
#
# usage: zsh -f complete.zsh FOLDER DUMP LINE...   FOLDER holds _pawl and _git-pawl; compinit writes DUMP
zmodload zsh/zpty zsh/zselect || exit 77
offered=$(mktemp)
trap 'rm -f $offered' EXIT

# The words are caught where the shell is told of them; asked for their number (-O, -A, -D) it
# works as ever.
zpty probe zsh -f -i
zpty -w probe "PROMPT= OFFERED=${(q)offered} fpath=(${(q)1} \$fpath)
autoload -Uz compinit && compinit -u -C -d ${(q)2}
compadd() {
	local -a found
	if [[ \${(j: :)@[1,(i)(-|--)]} == *-[a-zA-Z]#[OAD]\ * ]]; then
		builtin compadd \"\$@\"
		return
	fi
	builtin compadd -O found \"\$@\"
	(( ! \$#found )) || print -rl -- \$found >>\$OFFERED
	builtin compadd \"\$@\"
}
probe() {
	_main_complete
	print -r -- '#END' >>\$OFFERED
}
zle -C probe complete-word probe
bindkey '^I' probe
bindkey '^U' kill-whole-line
setopt no_auto_list no_auto_menu # nobody answers whether to show them all
print -r -- '#READY' >>\$OFFERED
"
wait_for() {
	local i
	for (( i = 0; i < 100000; i++ )); do # the better part of an hour: the machine may be busy
		[[ $'\n'$(<$offered)$'\n' != *$'\n'$1$'\n'* ]] || return 0
		zpty -r -t probe dummy
		zselect -t 2
	done
	return 1
}
wait_for '#READY' || exit 1
for line in "${@[3,-1]}"; do
	: >$offered
	zpty -w -n probe $'\C-u'"$line"$'\t'
	wait_for '#END' || exit 1
	print -r -- "#$line"
	grep -v '^#' $offered | sort -u
done
zpty -d probe

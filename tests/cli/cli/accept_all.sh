# Many benchmarks that got worse by one commit are accepted by one command.
. "$(dirname "$0")/../../lib.sh"

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[benchmark "more"]\n\tcommand = build/bench\n[benchmark "most"]\n\tcommand = build/bench\n' >>.pawlconfig
set_work 1000 'one'
set_work 4000 'four times the work'
slow=$(git rev-parse --short=12 HEAD)
runs 5 'before it is measured nothing is known' pawl accept HEAD --all --because 'it checks more'
like 'and it says what to type' "$T/err" "^hint: pawl compare $slow~..$slow, and the same again\$"
runs 5 'nor of one alone' pawl accept HEAD --benchmark work/chain --because 'it checks more'
like 'with the same words' "$T/err" "^hint: .*no benchmark|^hint: measure it and accept it again: pawl compare $slow~..$slow; or say"
runs 1 'all got slower' pawl compare
like 'one command accepts all' "$T/err" "^pawl: to accept all 3: pawl accept $slow --all --because WHY\$"
like 'another one of them' "$T/err" "^pawl: to accept one of them: pawl accept $slow --benchmark [a-z]*/chain --change "
runs 2 'it takes no name' pawl accept HEAD --all --benchmark work/chain --because 'it checks more'
runs 2 'and no size' pawl accept HEAD --all --change any --because 'it checks more'
runs 0 'one is accepted' pawl accept HEAD --benchmark more/chain --change any --because 'first'
runs 0 'then all' pawl accept HEAD --all --because 'it checks more'
is 'each that was not' "$(grep -c "^accepted $slow for '[a-z]*/chain', +[0-9.]*%\$" "$T/out")" 2
like 'and the file is to be committed' "$T/out" "^commit '.pawlaccepted', and they count for everybody\$"
is 'each has an entry' "$(git config -f .pawlaccepted --get-all "accept.$(git rev-parse HEAD).benchmark" | sort | paste -sd ' ')" \
	'more/chain most/chain work/chain'
is 'the first one as it was' "$(git config -f .pawlaccepted --get-all "accept.$(git rev-parse HEAD).change" any)" any
runs 0 'it passes' pawl compare
like 'as accepted' "$T/out" 'regressed, accepted'
unlike 'and nothing is left to accept' "$T/err" 'pawl accept'
runs 0 'again there is nothing' pawl accept HEAD --all --because 'it checks more'
like 'which it says' "$T/out" "^nothing of $slow got worse that is not accepted\$"

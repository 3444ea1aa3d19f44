# What a log shows of work that takes long: each kind of it as it begins, not only every ten seconds.
. "$(dirname "$0")/../../lib.sh"

slow_only 'work of more than ten seconds' || exit 0

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tbuild = sleep 16\n[benchmark "late"]\n\tcommand = ./late.sh\n' >.pawlconfig
printf '#!/bin/sh\nsleep 2\n' >late.sh
chmod +x late.sh
commit_all . one
echo '# two' >>late.sh
commit_all . two
runs 0 'a program that sleeps' pawl compare --budget 60s --wait 1h
like 'its build is shown' "$T/err" '^pawl: building: sleep 16$'
like 'with its age, and its command no second time' "$T/err" '^pawl: building, 1[0-9] s$'
like 'the first pair as it begins' "$T/err" '^pawl: \[ *[0-9]+ %\] pair [12] of at most [0-9]+  late'

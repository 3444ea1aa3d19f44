# Stored results that are damaged: whoever answers from another one says so.
. "$(dirname "$0")/../../lib.sh"

python='/usr/bin/python3 -IS'
store=.git/pawl/results.db
machine=0123456789abcdef

# flip ROW COLUMN: flips a bit of the last byte of what a row of the store holds
flip() {
	$python - "$store" "$1" "$2" <<'END'
import sqlite3, sys
path, row, column = sys.argv[1], int(sys.argv[2]), sys.argv[3]
db = sqlite3.connect(path)
was = db.execute(f"SELECT {column} FROM result WHERE seq=?", (row,)).fetchone()[0]
db.execute(f"UPDATE result SET {column}=? WHERE seq=?", (was[:-1] + bytes([was[-1] ^ 1]), row))
db.commit()
END
}
id_of() {
	$python -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT id FROM result WHERE seq=?", (sys.argv[2],)).fetchone()[0])' \
		"$store" "$1"
}

new_stored_repo "$T/repo"
mkdir -p .git/pawl
# Two results of one commit: the newer one is 20 % slower.
for permille in 0 200; do
	echo "$head $base paired $permille 1700000000 two"
done | "$BUILD/helpers/history" "$store" proj "$machine" 7

runs 1 'the newest result regressed' pawl report --project proj
is 'nothing is said of damage' "$(cat "$T/err")" ''
flip 2 packed
lost=$(id_of 2)

# ---- report, export --------------------------------------------------------------------------

runs 0 'with it damaged the older one is the answer' pawl report --project proj
like 'which is told, by its name' "$T/err" "warning: the stored result '$lost' is damaged and was passed over"
like 'with what to do' "$T/err" "pawl fsck"
is 'in one line' "$(grep -c "$lost" "$T/err")" 1
like 'and the answer says it, too' "$T/out" "'$lost' is damaged and was passed over"
for format in json markdown html; do
	runs 0 "so in $format" pawl report --project proj --format "$format"
	like "  it names it" "$T/out" "$lost.* is damaged and was passed over"
	is "  it is told once" "$(grep -c "'$lost' is damaged" "$T/err")" 1
done
runs 0 'a range tells it as well' pawl report --project proj HEAD~1..HEAD
like '  by its name' "$T/err" "'$lost' is damaged"
runs 0 'export answers from the older one' pawl export --project proj --format lnt
like '  and tells it' "$T/err" "'$lost' is damaged"
runs 5 'fsck finds it' pawl fsck
like '  by its name' "$T/out" "'?$lost|row 2"

# ---- history ---------------------------------------------------------------------------------

pawl history list --project proj --machine "$machine" >"$T/out" 2>"$T/err"
is 'what a history needs is kept apart, and intact' "$?" 1
is '  so that nothing is told' "$(cat "$T/err")" ''
flip 2 points
for format in text json csv; do
	pawl history list --project proj --machine "$machine" --format "$format" >"$T/out" 2>"$T/err"
	is "history in $format is without regression" "$?" 0
	like "  and tells that a result is left out" "$T/err" "'$lost' is damaged"
done
pawl history --project proj --machine "$machine" >"$T/out" 2>"$T/err"
like 'the list of all does, too' "$T/err" "'$lost' is damaged"

# ---- nothing intact --------------------------------------------------------------------------

flip 1 packed
runs 5 'with nothing intact there is no answer' pawl report --project proj
like '  and the damage is the reason' "$T/err" "error: .*'$lost'.*(damaged|checksum)"
runs 5 'which fsck --repair tells, too' pawl fsck --repair
like '  with what it lost' "$T/out" '^0 results saved, 2 lost'


# ---- collect ---------------------------------------------------------------------------------

new_stored_repo "$T/base"
printf '[benchmark "true"]\n\tcommand = true\n' >.pawlconfig
commit_all . configured
pawl collect --runs 6..6 >"$T/out" 2>&1
pawl collect --runs 6..6 >"$T/out" 2>&1
flip 2 packed
lost=$(id_of 2)
commit_all . next
pawl collect --runs 6..6 >"$T/out" 2>"$T/err"
like 'collect tells what it did not compare with' "$T/err" "'$lost' is damaged and was passed over"
pawl report --json >"$T/out"
like 'and keeps it with the result' "$T/out" "'$lost' is damaged and was passed over"

# ---- a row that no longer says whose it is -----------------------------------------------------

new_stored_repo "$T/whose"
mkdir -p .git/pawl
for permille in 0 200; do
	echo "$head $base paired $permille 1700000000 two"
done | "$BUILD/helpers/history" "$store" proj "$machine" 7
lost=$(id_of 2)
for column in project machine commit_id; do
	cp "$store" "$T/whole"
	$python -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE result SET %s = ? WHERE seq=2" % sys.argv[2], ("elsewhere",))
db.commit()' "$store" "$column"
	pawl history --project proj --machine "$machine" >"$T/out" 2>"$T/err"
	like "a damaged $column is missed by a history" "$T/err" "'$lost' is damaged and was passed over"
	# Its index has the same, as when it was made anew: for all that SQL can see the row is another's.
	for command in report 'export --format lnt' 'accept HEAD -b list --because x'; do
		pawl ${command%% *} --project proj ${command#"${command%% *}"} >"$T/out" 2>"$T/err"
		like "  by ${command%% *}" "$T/err" "'$lost' is damaged and was passed over"
	done
	runs 5 "  and by fsck" pawl fsck
	cp "$T/whole" "$store"
done

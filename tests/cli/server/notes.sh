# What the reply to a post says of what was stored otherwise than its poster may think.
. "$(dirname "$0")/../../lib.sh"

. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1

# says NAME WANTED SUMMARY: the notes of the answer, cut
says() {
	doc one "$3"
	send one
	is "$1" "$status $(json "$T/body" '[n[:29] for n in d.get("notes", [])]')" "$2"
}
unit='a metric came in another unit'
says 'a first result is as one thinks' '201 []' 'summary(1)'
says 'so is a second one' '201 []' 'summary(2)'
says 'another unit is told' "201 ['$unit']" \
	'(lambda d: d["benchmarks"][0]["metrics"][0].update(unit="ms") or d)(summary(3))'
says 'once' '201 []' '(lambda d: d["benchmarks"][0]["metrics"][0].update(unit="ms") or d)(summary(4))'
says 'another direction too' "201 ['$unit']" \
	'(lambda d: d["benchmarks"][0]["metrics"][0].update(better="higher") or d)(summary(5))'
says 'and a date far ahead' "201 ['commit.commit_time is more th']" \
	'(lambda d: d["commit"].update(id="c" * 40, commit_time="2068-01-01T00:00:00Z") or d)(summary(6))'
says 'also where it was stored before' "200 ['commit.commit_time is more th']" \
	'(lambda d: d["commit"].update(id="c" * 40, commit_time="2068-01-01T00:00:00Z") or d)(summary(6))'

# A summary, or a benchmark of it, is hidden and shown again by who may, and both are logged.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

token() {
	"$BUILD/pawld" token add --store "$STORE" --project zlib --scope "$1"
}

admin=$(token admin)
writer=$(token read,write)
start_server || exit 1
doc one 'summary(1)'
doc two 'judged(2)'
send one -H "Authorization: Bearer $writer"
send two -H "Authorization: Bearer $writer"
is 'two summaries' "$status" 201
first=/api/v1/projects/zlib/summaries/01JD0000000000000000000001
second=/api/v1/projects/zlib/summaries/01JD0000000000000000000002

# read_all FILE: what the API says of it all
read_all() {
	for path in '' /benchmarks '/history?benchmark=deflate/6' '/history?benchmark=deflate/6&branch=main' \
		"/compare?base=$A&head=$B" /regressions; do
		ask "/api/v1/projects/zlib$path" -H "Authorization: Bearer $writer"
		cat "$T/body"
		echo
	done >"$T/$1"
}

# values: the history of deflate/6
values() {
	ask '/api/v1/projects/zlib/history?benchmark=deflate/6' -H "Authorization: Bearer $writer"
	json "$T/body" 'd["points"]["value"]'
}

as_admin() {
	ask "$@" -H "Authorization: Bearer $admin"
}

read_all before
tag=$(sed -n 's/^ETag: \([^ ]*\).$/\1/p' "$T/head")
ask "$second" -X DELETE
is 'without a token it is 401' "$status" 401
ask "$second" -X DELETE -H "Authorization: Bearer $writer"
is 'with one that writes 403' "$status $(values)" '403 [1001, 1002]'
as_admin "$second?why=busy%20machine" -X DELETE
is 'an administrator hides a summary' "$status $(json "$T/body" '[d["state"], d["changed"]]')" "200 ['retracted', True]"
is 'its history goes on without' "$(values)" '[1001]'
ask '/api/v1/projects/zlib/history?benchmark=deflate/6' -H "Authorization: Bearer $writer" -H "If-None-Match: $tag"
is 'also for who has a tag of before' "$status" 200
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&branch=main' -H "Authorization: Bearer $writer"
is 'on its branch, too' "$(json "$T/body" 'd["points"]["value"]')" '[1001]'
ask /api/v1/projects/zlib -H "Authorization: Bearer $writer"
is 'it neither counts nor is the latest' "$(json "$T/body" '[d["summaries"], d["latest"]["commit"]]')" "[1, '$A']"
ask "/api/v1/projects/zlib/compare?base=$A&head=$B" -H "Authorization: Bearer $writer"
is 'its commit has no values' "$(json "$T/body" '[m["head"] for b in d["benchmarks"] for m in b["metrics"]]')" '[None, None]'
ask /api/v1/projects/zlib/regressions -H "Authorization: Bearer $writer"
is 'nothing moved' "$(json "$T/body" 'd["regressions"]')" '[]'
ask "$second" -H "Authorization: Bearer $writer"
is 'and it is not given out' "$status" 404
like 'which says why' "$T/body" 'is retracted'
send two -H "Authorization: Bearer $writer"
is 'posting it again brings it not back' "$status $(values)" '200 [1001]'
as_admin "$second" -X DELETE
is 'twice is once' "$(json "$T/body" 'd["changed"]')" False

as_admin "$second/restore" -X POST -H 'Origin: https://elsewhere.example'
is 'a page of somebody else does not restore it' "$status" 403
as_admin "$second/restore" -X POST
is 'it is shown again' "$status $(json "$T/body" '[d["state"], d["changed"]]')" "200 ['shown', True]"
read_all after
check 'and all is as it was' cmp "$T/before" "$T/after"

as_admin "$first?benchmark=deflate/6" -X DELETE
is 'a benchmark of it is hidden' "$status $(values)" '200 [1002]'
runs=/p/zlib/runs?id=01JD000000000000000000000
ask "${runs}1&benchmark=deflate/6" -H "Authorization: Bearer $writer"
is 'its runs are in no page' "$status" 404
like 'which says why, too' "$T/body" 'is retracted'
ask "${runs}2&benchmark=deflate/6" -H "Authorization: Bearer $writer"
is 'those of another summary are' "$status" 200
as_admin "$first?benchmark=none" -X DELETE
is 'one that it has not is 404' "$status" 404
as_admin "$first?bench=none" -X DELETE
is 'a parameter that is not known 400' "$status" 400
ask "$first" -H "Authorization: Bearer $writer"
is 'the summary is there' "$status" 200
as_admin /api/v1/projects/zlib/summaries/01JD0000000000000000000009 -X DELETE
is 'a summary that is not 404' "$status" 404
as_admin "$first" -X PUT
is 'other methods are not known' "$status" 405
like 'and those that are, are told' "$T/head" '^Allow: GET, HEAD, DELETE'

# ---- beside the server ---------------------------------------------------------------

retract() {
	"$BUILD/pawld" retract --store "$STORE" --project zlib "$@"
}
runs 0 'pawld retract restores, while the server runs' retract --restore --benchmark deflate/6 01JD0000000000000000000001
is 'and says so' "$(cat "$T/out")" 'summary 01JD0000000000000000000001, benchmark deflate/6: shown'
is 'which the server sees' "$(values)" '[1001, 1002]'
runs 0 'it hides' retract 01JD0000000000000000000001 --why 'wrong compiler'
is 'at once' "$(values)" '[1002]'
runs 0 'the log is printed' retract --list
mv "$T/out" "$T/list"
is 'with each change, the newest first' \
	"$(json "$T/list" '[(e["action"], e["id"][-1], e["benchmark"], e["why"]) for e in d["retractions"]]')" \
	"[('retract', '1', None, 'wrong compiler'), ('restore', '1', 'deflate/6', None), ('retract', '1', 'deflate/6', None), ('restore', '2', None, None), ('retract', '2', None, 'busy machine')]"
is 'and who it was' "$(json "$T/list" '[e["who"] for e in d["retractions"]][:3]')" \
	"['pawld retract', 'pawld retract', '$(echo "$admin" | cut -d_ -f3)']"
as_admin /api/v1/projects/zlib/retractions
is 'as the API does' "$status $(json "$T/body" 'len(d["retractions"])')" '200 5'
ask /api/v1/projects/zlib/retractions -H "Authorization: Bearer $writer"
is 'to administrators' "$status" 403
runs 0 'fsck has nothing against it' "$BUILD/pawld" fsck --store "$STORE"
runs 5 'a summary that is not there' retract 01JD0000000000000000000009
runs 2 'neither an id nor --list' retract
runs 2 'both' retract --list 01JD0000000000000000000001
runs 5 'a store that is not there' "$BUILD/pawld" retract --store "sqlite:$T/typo.db" --project zlib 01JD0000000000000000000001
like 'which is named' "$T/err" "$T/typo.db"
runs 5 'nor is one repaired' "$BUILD/pawld" fsck --store "sqlite:$T/typo.db" --repair
runs 5 'or a token of it revoked' "$BUILD/pawld" token revoke --store "sqlite:$T/typo.db" 000000000000
check 'and none is made' [ ! -e "$T/typo.db" ]

# ---- what has no value ---------------------------------------------------------------

# hides NAME: of the summary 40 alone, and shows it again
hides() {
	as_admin "/api/v1/projects/zlib/summaries/01JD0000000000000000000040?benchmark=$1" -X DELETE
	hidden="$status $(json "$T/body" 'd.get("changed")')"
	as_admin "/api/v1/projects/zlib/summaries/01JD0000000000000000000040/restore?benchmark=$1" -X POST
	echo "$hidden, $status $(json "$T/body" 'd.get("changed")')"
}

doc bare "(lambda d: d['benchmarks'].extend([dict(name=s, status=s, metrics=[]) for s in ('failed', 'timeout', 'skipped', 'removed')]
	+ [dict(name='same', status='ok', metrics=[], binary_id='0' * 64, base_binary_id='0' * 64)]) or d)(summary(40, '%040x' % 40))"
send bare -H "Authorization: Bearer $writer"
for name in failed timeout skipped removed same; do
	is "a benchmark that is $name is hidden and shown" "$(hides $name)" '200 True, 200 True'
done
as_admin '/api/v1/projects/zlib/summaries/01JD0000000000000000000040?benchmark=none' -X DELETE
is 'one that is not in it is 404' "$status" 404
doc unborn "(lambda d: d['commit'].update(id=None) or d)(summary(41))"
send unborn -H "Authorization: Bearer $writer"
as_admin '/api/v1/projects/zlib/summaries/01JD0000000000000000000041?benchmark=deflate/6' -X DELETE
is 'one of no commit is hidden, too' "$status" 200
as_admin /api/v1/projects/zlib/summaries/01JD0000000000000000000041 -X DELETE
as_admin /api/v1/projects/zlib/summaries/01JD0000000000000000000040 -X DELETE

# ---- which metric decides ------------------------------------------------------------

# gate N METRIC AT [FINISHED]: a result of the benchmark g that METRIC decides
gate() {
	doc g "(lambda d: d['benchmarks'][0].update(name='g', gate='$2') or d.update(finished='${4:-$3}') or d)(summary($1, '%040x' % $1, '$3'))"
	send g -H "Authorization: Bearer $writer"
}

# decides: the metric of its history
decides() {
	ask '/api/v1/projects/zlib/history?benchmark=g' -H "Authorization: Bearer $writer"
	json "$T/body" 'd["metric"]'
}

gate 20 cpu 2026-11-21T10:00:00Z
gate 21 wall 2026-11-21T11:00:00Z
is 'the newest result decides by which metric' "$(decides)" wall
gate 22 cpu 2026-11-21T10:30:00Z
is 'not one of an older commit that comes later' "$(decides)" wall
runs 0 'it was a mistake' retract 01JD0000000000000000000021
is 'what is hidden decides nothing' "$(decides)" cpu
gate 23 cpu 2026-11-21T10:40:00Z
is 'nor does it come back' "$(decides)" cpu
runs 0 'it is shown' retract --restore 01JD0000000000000000000021
is 'and decides again' "$(decides)" wall

# ---- in another unit -----------------------------------------------------------------

# in_unit N UNIT COMMIT DIRTY: a result of the benchmark u
in_unit() {
	doc u "(lambda d: d['benchmarks'][0].update(name='u') or d['commit'].update(dirty=$4)
		or d['benchmarks'][0]['metrics'][0].update(unit='$2') or d)(summary($1, '$3', '2026-11-21T10:00:0$1Z'))"
	send u -H "Authorization: Bearer $writer"
}

# shown: the unit and the values of its history
shown() {
	ask '/api/v1/projects/zlib/history?benchmark=u' -H "Authorization: Bearer $writer"
	json "$T/body" '[d["unit"], d["points"]["value"]]'
}

in_unit 5 bytes "$A" False
in_unit 6 ns "$A" False
in_unit 7 ns "$A" False
in_unit 8 ns "$B" False
is 'the first result decides the unit' "$(shown)" "['bytes', [1005]]"
runs 0 'it was a mistake' retract 01JD0000000000000000000005
is 'what is hidden does not' "$(shown)" "['ns', [1006, 1007, 1008]]"
runs 0 'it is shown' retract --restore 01JD0000000000000000000005
is 'and decides again' "$(shown)" "['bytes', [1005]]"
runs 0 'its benchmark is hidden' retract --benchmark u 01JD0000000000000000000005
is 'which is the same' "$(shown)" "['ns', [1006, 1007, 1008]]"
in_unit 9 MB "$B" True
is 'nor does a tree with changes' "$status $(shown)" "201 ['ns', [1006, 1007, 1008]]"
stop_server

exit 0

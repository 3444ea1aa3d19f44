# Documents that come compressed: kept so, given back plain, and none of them is a bomb.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1

# coded FILE EXPRESSION: what EXPRESSION gives is written as it is
coded() {
	py "sys.stdout.buffer.write($2)" >"$T/$1"
}

# kept: bytes of the last document and of what is kept of it
kept() {
	sql "SELECT coalesce(cast(coding AS TEXT), 'None'), length(json) FROM document
		ORDER BY project_id DESC, run_id DESC LIMIT 1"
}

# ---- what a client may send ----------------------------------------------------------

doc one 'summary(1)'
coded one.zst 'frame(open(r"'"$T/one"'", "rb").read())'
send one.zst -H 'Content-Encoding: zstd'
is 'a compressed summary is 201' "$status" 201
send one
is 'it is the same as the plain one' "$status" 200
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000001
check 'and comes back plain, byte for byte' cmp "$T/one" "$T/body"

doc two 'summary(2)'
send two
is 'a plain summary is 201' "$status" 201
check 'and kept compressed' [ "$(kept | cut -d' ' -f2)" -lt "$(($(wc -c <"$T/two") / 2))" ]
send two
is 'the same again is 200' "$status" 200
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000002
check 'it comes back byte for byte' cmp "$T/two" "$T/body"

doc three 'summary(3)'
gzip -n <"$T/three" >"$T/three.gz"
send three.gz -H 'Content-Encoding: gzip'
is 'one by gzip is 201' "$status" 201
check 'and kept compressed, too' [ "$(kept | cut -d' ' -f2)" -lt "$(($(wc -c <"$T/three") / 2))" ]
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000003
check 'it comes back byte for byte' cmp "$T/three" "$T/body"

# ---- what it may not -----------------------------------------------------------------

while IFS='|' read -r wanted name body; do
	coded bad "$body"
	send bad -H 'Content-Encoding: zstd'
	is "$name is $wanted" "$status" "$wanted"
	is 'with its reason' "$(json "$T/body" 'len(d["error"]["message"]) > 9')" True
done <<'END'
400|what is no frame|b"{}"
400|nothing at all|b""
400|a frame that is cut off|frame(b"x" * 999)[:-9]
400|a frame behind another one|frame(b"{}") + frame(b"{}")
400|a frame without a summary|frame(b"no JSON")
413|a frame of 17 MiB that says so|bomb(136, True)
422|a frame of 16 MiB in 521 bytes|bomb(128, True)
422|the same without saying so|bomb(128, False)
END
while IFS='|' read -r wanted name body; do
	coded bad "$body"
	send bad -H 'Content-Encoding: gzip'
	is "$name is $wanted" "$status" "$wanted"
	is 'with its place' "$(json "$T/body" 'd["error"].get("where")')" "$(if [ "$wanted" = 413 ]; then echo None; else echo Content-Encoding; fi)"
done <<'END'
400|what is no gzip|b"{}"
400|no gzip at all|b""
400|gzip that is cut off|gzip.compress(b"x" * 999)[:-9]
400|gzip that says less than it holds|gzip.compress(b"x" * 999)[:-4] + b"\x09\0\0\0"
400|gzip behind gzip|gzip.compress(b" ") + gzip.compress(b" ")
413|17 MiB by gzip|gzip.compress(b"".join(b"%d" % (i * i) for i in range(1500000)), 1)
422|16 MiB in 16 KiB of gzip|gzip.compress(b" " * (16 << 20))
400|gzip that says 4 GiB|gzip.compress(b"x" * 999)[:-4] + b"\xff" * 4
END
printf x >"$T/bad"
send bad -H 'Content-Encoding: br'
is 'another coding is 415' "$status" 415
like 'and told which there are' "$T/body" 'zstd or gzip'
coded long 'frame(b" " * (16 << 20))'
send long -H 'Content-Encoding: zstd'
is 'a frame that is itself beyond 16 MiB is 413' "$status" 413
ask /api/v1/projects
is 'nothing of all that was stored' "$(json "$T/body" 'd["projects"][0]["summaries"]')" 3

is 'bombs from 32 clients at once' "$(py 'statuses = []
body = bomb(50000, False)
def one_post():
    c = connect(sys.argv[1])
    c.request("POST", "/api/v1/summaries", body, {"Content-Type": "application/json", "Content-Encoding": "zstd"})
    statuses.append(c.getresponse().status)
threads = [threading.Thread(target=one_post) for _ in range(32)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(set(statuses)), len(statuses))')" '[413] 32'
case $BUILD in
*asan* | *tsan*) skip 'memory' 'the sanitizer has its own use of memory' ;;
*)
	most=$(awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVER_PID/status")
	check "take no memory to speak of ($most MiB at most)" [ "$most" -le 96 ]
	;;
esac
stop_server

# ---- what pawl sends -----------------------------------------------------------------

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tproject = zlib\n' >.pawlconfig
commit_all . one
new_store
start_server --no-auth --log "$T/access.log" || exit 1
git config pawl.server "$SERVER"
runs 0 'a result is posted' pawl import "$ROOT/tests/data/foreign/google-single.json"
pawl report --json >"$T/plain"
is 'and kept as a frame' "$(kept | cut -d' ' -f1)" 1
id=$(json "$T/plain" 'd["id"]')
ask "/api/v1/projects/zlib/summaries/$id"
is 'that is the document' "$status $(json "$T/body" 'd["id"]')" "200 $id"
stop_server

begin_bad_server --log "$T/bad.log" --modes ok
git config pawl.server "$BAD_URL"
for name in google-repetitions hyperfine; do
	pawl import --no-push "$ROOT/tests/data/foreign/$name.json" >/dev/null
done
runs 0 'a server that takes nothing compressed' pawl push --all --require-push
is 'is asked once, and once for a batch, and then gets all of it plain' "$(awk '{ print $NF }' "$T/bad.log" | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" '2 2 '
runs 0 'push --file does it the same way' pawl push --file "$T/plain" --server "$BAD_URL" \
	--commit "$(json "$T/plain" 'd["commit"]["id"]')"
is 'twice' "$(tail -n 2 "$T/bad.log" | awk '{ print $NF }' | tr '\n' ' ')" "coding='zstd' coding='' "
kill "$BAD_PID"
wait "$BAD_PID" 2>/dev/null
forget "$BAD_PID"

exit 0

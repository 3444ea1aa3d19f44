# pawld on a full disk: what it stored stays, reading goes on, and health tells.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"
doc one 'summary(1)'

mkdir "$T/disk"
if mount -t tmpfs -o size=1m none "$T/disk" 2>/dev/null; then
	start_on_disk() {
		: >"$T/pawld.out" # as start_server does
		"$BUILD/pawld" --listen 127.0.0.1:0 --store "sqlite:$T/disk/server.db" --no-auth \
			>"$T/pawld.out" 2>"$T/pawld.err" &
		SERVER_PID=$!
		to_stop="$to_stop $SERVER_PID"
		wait_for server_told
		SERVER=$(sed -n 's/^pawld: listening on //p' "$T/pawld.out")
	}
	start_on_disk
	send one
	is 'there is room for one' "$status" 201
	cat /dev/zero >"$T/disk/filler" 2>/dev/null
	doc wide '(lambda d: d["benchmarks"][0].update(detail="x" * 16000) or d)(summary(3))'
	n=0
	status=201
	while [ "$status" = 201 ] && [ "$n" -lt 100 ]; do
		n=$((n + 1))
		doc wide "(lambda d: d['benchmarks'][0].update(detail='x' * 16000) or d)(summary($n + 50))"
		send wide
	done
	is 'a full disk is 503' "$status" 503
	like 'with Retry-After' "$T/head" '^Retry-After: '
	like 'and told once on stderr' "$T/pawld.err" '^pawld: warning: .*[Nn]o space|full'
	ask /healthz
	is 'health tells' "$status" 503
	ask /api/v1/projects/zlib/summaries/01JD0000000000000000000001
	is 'reading goes on' "$status" 200
	rm "$T/disk/filler"
	has_room() {
		send wide
		[ "$status" != 503 ]
	}
	wait_for has_room
	is 'once there is room it is stored' "$status" 201
	stop_server
	# Room to start, and for nothing else.
	head -c 65536 /dev/zero >"$T/disk/room"
	cat /dev/zero >"$T/disk/filler" 2>/dev/null
	rm "$T/disk/room"
	start_on_disk
	ask /healthz
	is 'health tells a disk that was full at the start' "$status" 503
	ask /readyz
	is 'and it is not ready' "$status $(cat "$T/body")" '503 {"status":"cannot write"}'
	rm "$T/disk/filler"
	is_healthy() {
		ask /healthz
		[ "$status" = 200 ]
	}
	check 'once there is room health is well' wait_for is_healthy
	stop_server
	umount "$T/disk"
else
	skip 'a full disk is 503' 'only root may mount a small tmpfs'
fi

# Logging in to the pages: a token is sent once, a cookie that is not the token stands for it.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

# token OPTION...: makes one
token() {
	pawld token add --store "$STORE" "$@"
}

# log_in TOKEN [CURL OPTION...]: the form as a browser sends it; the cookie in $T/jar
log_in() {
	text=$1
	shift
	rm -f "$T/jar"
	ask /login -c "$T/jar" --data-urlencode "token=$text" --data-urlencode "to=${to:-/p/zlib}" "$@"
}

start_server --log "$T/requests" || exit 1
zlib=$(token --project zlib --scope read,write --label one)
other=$(token --project other --scope read)
writer=$(token --project zlib --scope write)
doc one 'summary(1)'
send one -H "Authorization: Bearer $zlib"
is 'a result is posted' "$status" 201

ask '/p/zlib?q=deflate'
is 'without a token a page is 401' "$status" 401
like 'which is the form that asks for one' "$T/body" '<input type="password" name="token"'
like 'and leads to the page that was asked for' "$T/body" 'name="to" value="/p/zlib\?q=deflate"'
unlike 'and tells nothing of the project' "$T/body" 'deflate/6'
ask '/p/zlib?x="><b>'
unlike 'whatever the address was' "$T/body" '<b>'
ask /p/zlib -H "Authorization: Bearer $zlib"
is 'a token in the header will do, as for the API' "$status" 200

log_in "$zlib"
is 'a token logs in' "$status" 303
like 'and leads to the page' "$T/head" '^Location: /p/zlib.$'
like 'with a cookie that scripts and other sites do not get' "$T/head" \
	'^Set-Cookie: pawld=[0-9a-f]+; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict.$'
unlike 'which is not the token' "$T/jar" "${zlib#pawl_s_}"
ask /p/zlib -b "$T/jar"
is 'the cookie reads the page' "$status" 200
like 'which can log out' "$T/body" 'Log out'
ask / -b "$T/jar"
like 'projects are those of the token' "$T/body" '>zlib<'
ask /p/other -b "$T/jar"
is 'another project is 403' "$status" 403
ask /api/v1/projects -b "$T/jar"
is 'the API takes no cookie' "$status" 401
send one -b "$T/jar"
is 'least of all to write' "$status" 401
cp "$T/jar" "$T/first"

log_in "$zlib" -H 'Sec-Fetch-Site: cross-site'
is 'a form of another site does not log in' "$status" 403
log_in "$zlib" -H 'Origin: https://evil.example'
is 'nor one that says its origin' "$status" 403
log_in "$zlib" -H "Origin: $SERVER"
is 'one of our own origin does' "$status" 303
ask /logout -b "$T/first" -d '' -H 'Sec-Fetch-Site: cross-site'
is 'nor can it log out' "$status" 403
for to in //evil.example /\\evil.example https://evil.example /p/../../x"$(printf '\r\n')"Set-Cookie:x=y \
	/p/caf$(printf '\303\251'); do
	log_in "$zlib"
	like "it leads nowhere else: $(printf %s "$to" | tr -d '\r\n')" "$T/head" '^Location: /.$'
	is 'in one header each' "$(grep -ci '^set-cookie' "$T/head")" 1
done
to=
log_in "$writer"
is 'a token that cannot read cannot log in' "$status" 403
ask /login -d "token=$zlib&token=$zlib"
is 'a field twice is 400' "$status" 400
printf 'token=\0%s' "$zlib" >"$T/nul"
ask /login -H 'Content-Type: application/x-www-form-urlencoded' --data-binary "@$T/nul"
is 'a NUL byte, too' "$status" 400
ask /login -H 'Content-Type: text/plain' --data-binary "token=$zlib"
is 'what is no form is 415' "$status" 415
head -c 9000 /dev/zero | tr '\0' x >"$T/large"
ask /login -d "@$T/large"
is 'a large form is 413' "$status" 413
ask /login -d "@$T/large" -H 'Transfer-Encoding: chunked'
is 'also when it does not say how large it is' "$status" 413

ask /logout -b "$T/first" -d ''
is 'logging out leads to the form' "$status" 303
like 'and makes the browser forget' "$T/head" '^Set-Cookie: pawld=; Path=/; Max-Age=0; '
ask /p/zlib -b "$T/first"
is 'the cookie is worth nothing then' "$status" 401
ask /p/zlib -H "Cookie: a=b; pawld=$(printf '%064d' 0); c"
is 'nor is a made up one' "$status" 401

log_in "$other"
ask / -b "$T/jar"
is 'another token' "$status" 200
pawld token revoke --store "$STORE" "$(printf %s "$other" | cut -c 8-19)" >"$T/out"
ask / -b "$T/jar"
is 'once it is revoked its sessions are over' "$status" 401

log_in "$zlib"
cp "$T/jar" "$T/first"
for _ in 1 2 3 4 5 6 7 8 9 10; do log_in wrong; done
is 'a wrong token is 401' "$status" 401
like 'and says so beside the form' "$T/body" 'role="alert">the token is wrong'
# That the eleventh within a minute is the first: the test of server/http/limit.c, which makes the minute.
is_limited() {
	log_in wrong
	[ "$status" = 429 ]
}
check 'and 429 where there are too many' wait_for is_limited
log_in "$zlib"
is 'a right one passes all the same' "$status" 303
ask /p/zlib -b "$T/first"
is 'and who is logged in stays so' "$status" 200
like 'the log has the requests' "$T/requests" ' POST /login 303 '
secret=$(awk '/pawld/ { print $NF }' "$T/first")
unlike 'neither tokens nor cookies' "$T/requests" "${zlib#pawl_s_}|$secret"
stop_server

start_server --public-read || exit 1
ask /p/zlib
is 'with --public-read nobody needs to log in' "$status" 200
stop_server
start_server --behind-proxy || exit 1
ask /p/zlib -b "$T/first"
is 'another start knows no session of before' "$status" 401
log_in "$zlib"
like 'behind TLS the cookie goes nowhere else' "$T/head" \
	'^Set-Cookie: __Host-pawld=[0-9a-f]+; Path=/; .*; SameSite=Strict; Secure.$'

exit 0

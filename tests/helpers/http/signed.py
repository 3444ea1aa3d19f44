"""Signed tokens of jobs, good and forged, made by openssl: writes keys and tokens into a folder.

usage: signed.py FOLDER COMMIT     FOLDER has rsa.pem, other.pem (RSA) and ec.pem (P-256); some tokens are of
                                   COMMIT
"""
import base64, hashlib, hmac, json, subprocess, sys, time

FOLDER, COMMIT = sys.argv[1:]
A = "aaaa456789abcdef0123456789abcdef01234567"
AUDIENCE = "https://pawl.example.org"
GITHUB = "https://token.actions.githubusercontent.com"
GITLAB = "https://gitlab.example.org"

def letters(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def openssl(*arguments, data=None):
    return subprocess.run(("openssl",) + arguments, input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout

def rsa_jwk(name, kid):
    n = openssl("rsa", "-in", f"{FOLDER}/{name}.pem", "-noout", "-modulus").decode().split("=")[1]
    return {"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "e": "AQAB",
            "n": letters(bytes.fromhex(n.strip()))}

def ec_jwk(name, kid):
    point = openssl("ec", "-in", f"{FOLDER}/{name}.pem", "-pubout", "-outform", "DER")[-64:]
    return {"kty": "EC", "crv": "P-256", "kid": kid, "x": letters(point[:32]),
            "y": letters(point[32:])}

def sign(name, kind, data):
    made = openssl("dgst", "-sha256", "-sign", f"{FOLDER}/{name}.pem", data=data)
    if kind == "RS256":
        return made
    # SEQUENCE of two INTEGERs
    numbers, rest = b"", made[2:]
    for _ in range(2):
        numbers += rest[2:2 + rest[1]].lstrip(b"\0").rjust(32, b"\0")
        rest = rest[2 + rest[1]:]
    return numbers

def token(file, claims, name="rsa", kind="RS256", kid="github-1", header=None, signature=None):
    head = dict({"typ": "JWT", "alg": kind, "kid": kid}, **(header or {}))
    text = letters(json.dumps(head).encode()) + "." + letters(json.dumps(claims).encode())
    made = signature(text.encode()) if signature else sign(name, kind, text.encode())
    with open(f"{FOLDER}/{file}", "w") as out:
        out.write(text + "." + letters(made))

now = int(time.time())

def github(**more):
    claims = {"iss": GITHUB, "aud": AUDIENCE, "iat": now, "nbf": now - 300, "exp": now + 900,
              "sub": "repo:madler/zlib:ref:refs/heads/main", "repository": "madler/zlib",
              "repository_id": "1234", "ref": "refs/heads/main", "ref_type": "branch", "sha": A,
              "event_name": "push"}
    claims.update(more)
    return {k: v for k, v in claims.items() if v is not None}

def gitlab(**more):
    claims = {"iss": GITLAB, "aud": [AUDIENCE], "iat": now, "nbf": now - 5, "exp": now + 3600,
              "project_path": "group/zlib", "project_id": "77", "ref": "main",
              "ref_type": "branch", "sha": A, "pipeline_source": "push"}
    return dict(claims, **more)

def keys(file, *jwks):
    with open(f"{FOLDER}/{file}", "w") as out:
        json.dump({"keys": jwks}, out)

RSA = rsa_jwk("rsa", "github-1")
# A key of another kind beside it is left out.
keys("github.json", RSA, {"kty": "OKP", "crv": "Ed25519", "kid": "e", "x": "AA"})
keys("gitlab.json", ec_jwk("ec", "gitlab-1"), rsa_jwk("other", "encrypts") | {"use": "enc"})
keys("changed.json", rsa_jwk("other", "github-2"))
keys("private.json", RSA | {"d": "AQAB"})
keys("short.json", RSA | {"n": letters(b"\xc1" * 128)})
keys("point.json", ec_jwk("ec", "gitlab-1") | {"y": letters(b"\x01" * 32)})
PEM = openssl("rsa", "-in", f"{FOLDER}/rsa.pem", "-pubout")

token("good", github())
token("tag", github(ref="refs/tags/v1", ref_type="tag"))
token("feature", github(ref="refs/heads/feature"))
token("pull", github(ref="refs/pull/5/merge", event_name="pull_request", head_ref="main"))
token("target", github(event_name="pull_request_target", head_ref="main"))
token("repository", github(repository="fork/zlib"))
token("recycled", github(repository_id="4321"))
token("ec", gitlab(), "ec", "ES256", "gitlab-1")
token("merge", gitlab(pipeline_source="merge_request_event"), "ec", "ES256", "gitlab-1")
token("fork", gitlab(project_path="fork/zlib"), "ec", "ES256", "gitlab-1")
token("changed", github(), "other", kid="github-2")
token("own", github(sha=COMMIT))
token("ownpull", github(sha=COMMIT, ref="refs/pull/5/merge", event_name="pull_request"))
token("ownmerge", gitlab(sha=COMMIT, pipeline_source="merge_request_event"), "ec", "ES256", "gitlab-1")

# Each of these is refused.
token("none", github(), kind="none", signature=lambda text: b"")
token("hs256", github(), kind="HS256",
      signature=lambda text: hmac.new(PEM, text, hashlib.sha256).digest())
token("foreign", github(), "other")
token("swapped", github(), kind="ES256", signature=lambda text: sign("rsa", "RS256", text)[:64])
token("audience", github(aud="https://other.example.org"))
token("issuer", github(iss="https://evil.example.org"))
token("borrowed", gitlab(iss=GITHUB), "ec", "ES256", "gitlab-1")
token("expired", github(exp=now - 60))
token("future", github(nbf=now + 600))
token("eternal", github(exp=None))
token("critical", github(), header={"crit": ["b64"], "b64": False})
token("unknown", github(), kid="nosuch")
token("zero", gitlab(), "ec", "ES256", "gitlab-1", signature=lambda text: b"\0" * 64)
token("encrypts", gitlab(), "other", "RS256", "encrypts")
token("shortened", github(sha="aaaa4567"))
good = open(f"{FOLDER}/good").read()
head, body, signature = good.split(".")
for file, text in (("altered", f"{head}.{letters(json.dumps(github(sha='b' * 40)).encode())}.{signature}"),
                   ("padded", good + "="), ("parts", good + ".x")):
    with open(f"{FOLDER}/{file}", "w") as out:
        out.write(text)

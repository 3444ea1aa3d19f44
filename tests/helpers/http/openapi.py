"""What docs/schema/openapi-v1.json says, held against the routes and against replies.

    openapi.py spec DOCUMENT            by openapi-spec-validator; exit 77 where there is none
    openapi.py routes DOCUMENT ROUTES.C both ways; prints what is missing on either side
    openapi.py replies DOCUMENT URL     replies, by jsonschema; questions are lines of stdin:
                                        METHOD PATH STATUS [BODY], @HEADER: VALUE for all that follow
"""
import http.client, json, re, sys, urllib.parse

def spec(document):
    try:
        import openapi_spec_validator
    except ImportError:
        return 77
    openapi_spec_validator.validate(json.load(open(document)))
    return 0

def routes(document, table):
    told = {(method.upper(), re.sub(r"{[^}]*}", ":", path))
            for path, methods in json.load(open(document))["paths"].items() for method in methods}
    rows = re.findall(r'{ "([A-Z]+)", "([^"]+)", [^}]*?ROUTE_(API|BATCH|CHANGE|CODESPEED|LNT) }', open(table).read())
    there = {(method, re.sub(r"/:[^/]*", "/:", path)) for method, path, _ in rows}
    for method, path in sorted(there - told):
        print("not in the document:", method, path)
    for method, path in sorted(told - there):
        print("not among the routes:", method, path)
    print(len(there & told), "are the same")
    return 0

def path_of(paths, address):
    """The pattern of the document that fits, those without names first."""
    for pattern in sorted(paths, key=lambda p: p.count("{")):
        if re.fullmatch(re.sub(r"{[^}]*}", "[^/]+", pattern), address):
            return pattern
    raise KeyError(address)

def replies(document, url):
    import jsonschema
    doc = json.load(open(document))
    parts = {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": doc["components"]}
    for schema in doc["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=300)
    headers, seen, bad = {}, set(), 0
    for line in sys.stdin:
        if line.startswith("@"):
            name, value = line[1:].rstrip("\n").split(": ", 1)
            headers[name] = value
            continue
        method, path, status, *body = line.rstrip("\n").split(" ", 3)
        connection.request(method, path, body[0] if body else None, headers)
        reply = connection.getresponse()
        answer, kind = reply.read(), reply.getheader("Content-Type", "").split(";")[0]
        fault = None
        if reply.status != int(status):
            fault = "status %d, %r" % (reply.status, answer[:200])
        else:
            pattern = path_of(doc["paths"], urllib.parse.urlsplit(path).path)
            told = doc["paths"][pattern][method.lower()]
            told = told["responses"][status]
            if "$ref" in told:
                told = doc["components"]["responses"][told["$ref"].split("/")[-1]]
            seen.add((method, pattern))
            if kind == "application/json":
                schema = dict(parts, **told["content"][kind]["schema"])
                faults = sorted(jsonschema.Draft202012Validator(schema).iter_errors(json.loads(answer)), key=str)
                if faults:
                    fault = "%s at %s" % (faults[0].message[:300], list(faults[0].absolute_path))
            elif answer and kind not in told.get("content", {}):
                fault = "type " + kind
        if fault:
            bad += 1
            print(method, path, fault)
    for pattern, methods in doc["paths"].items():
        for method in methods:
            if (method.upper(), pattern) not in seen:
                print("not asked:", method.upper(), pattern)
    print(bad, "are wrong")
    return 0

if __name__ == "__main__":
    sys.exit({"spec": spec, "routes": routes, "replies": replies}[sys.argv[1]](*sys.argv[2:]))

# Looks at a report as its readers do; a fault is an exception.
#
#   look.py page FILE      nothing that runs or is fetched, every place linked to is there
#   look.py codequality FILE
#   look.py csv FILE
#   look.py pixel PNG      the colour of its first pixel, "255 255 255"
import csv
import html.parser
import json
import struct
import sys
import zlib


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.open, self.tags = set(), [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert tag not in ('script', 'iframe', 'object', 'embed', 'link', 'img', 'form', 'base'), tag
        for name, value in attrs:
            assert not name.startswith('on'), name
            assert name not in ('src', 'action', 'xlink:href'), name
            if name == 'href':
                assert value.startswith('#'), value
                self.links.append(value[1:])
            if name == 'id':
                assert value not in self.ids, value
                self.ids.add(value)
        if tag not in ('meta', 'br', 'rect', 'line', 'path', 'circle'):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag


def page(path):
    p = Page()
    p.feed(open(path, encoding='utf-8').read())
    p.close()
    assert not p.open, p.open
    assert {'h1', 'table', 'svg', 'details'} <= p.tags
    missing = set(p.links) - p.ids
    assert not missing, missing


def codequality(path):
    text = open(path, encoding='utf-8').read()
    assert text.startswith('[')  # no byte order mark
    issues = json.loads(text)
    seen = set()
    for i in issues:
        assert i['description'] and i['check_name'].startswith('pawl-')
        assert i['severity'] in ('info', 'minor', 'major', 'critical', 'blocker')
        assert not i['location']['path'].startswith(('/', './'))
        assert i['location']['lines']['begin'] >= 1
        assert i['fingerprint'] not in seen
        seen.add(i['fingerprint'])
    print(len(issues))


def table(path):
    with open(path, newline='', encoding='utf-8') as f:
        rows = list(csv.DictReader(f, strict=True))
    assert all(None not in r and None not in r.values() for r in rows)
    for r in rows:
        assert r['benchmark'][:1] not in ('=', '+', '-', '@')
        for name in ('head', 'base', 'ratio', 'p', 'threshold'):
            assert not r[name] or float(r[name]) >= 0
    print(len(rows))


def pixel(path):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, pixels = 8, b''
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IDAT':
            pixels += data[at + 8:at + 8 + n]
        at += 12 + n
    print(*zlib.decompressobj().decompress(pixels, 64)[1:4])


{'page': page, 'codequality': codequality, 'csv': table, 'pixel': pixel}[sys.argv[1]](sys.argv[2])

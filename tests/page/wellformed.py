# Whether a page closes what it opens and names no attribute twice: "ok", or the first fault.
import sys
from html.parser import HTMLParser

VOID = {'meta', 'link', 'input', 'br'}


class Check(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.fault = [], None

    def complain(self, text):
        self.fault = self.fault or 'line %d: %s' % (self.getpos()[0], text)

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.complain('an attribute of <%s> twice' % tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complain('</%s> closes nothing' % tag)


check = Check()
check.feed(open(sys.argv[1], encoding='utf-8').read())
check.close()
print(check.fault or ('open: %s' % check.open if check.open else 'ok'))

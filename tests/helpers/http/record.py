# An HTTP server that writes down what it is sent: one JSON object a line in FILE.
#
#   record.py FILE     prints its port; answers with the status that the path begins with, else 200
import http.server
import json
import sys


class Recorder(http.server.BaseHTTPRequestHandler):
    def take(self):
        n = int(self.headers.get('Content-Length', 0))
        body = self.rfile.read(n).decode('utf-8')
        with open(sys.argv[1], 'a', encoding='utf-8') as f:
            f.write(json.dumps({'method': self.command, 'path': self.path, 'body': body,
                                'headers': {k.lower(): v for k, v in self.headers.items()}}) + '\n')
        first = self.path.split('/')[1]
        self.send_response(int(first) if first.isdigit() else 200)
        self.send_header('Location', 'http://127.0.0.1:1/elsewhere')
        answer = b'{"error":\n  "no\x1b[2Jthanks"}'
        self.send_header('Content-Length', str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_PUT = do_GET = take

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(('127.0.0.1', 0), Recorder)
print(server.server_port, flush=True)
server.serve_forever()

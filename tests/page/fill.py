# Posts a history to look at: fill.py URL COMMITS BENCHMARKS [PROJECT]
#
# Levels that scatter, drift and step; every verdict; names that would be markup if a page let them.
import http.client
import json
import os
import random
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'helpers'))
sys.dont_write_bytecode = True
from summaries import HOSTILE

NAMES = ['deflate/6', 'deflate/9', 'inflate', 'crc32', 'adler32', 'parse/small', 'parse/large', 'open']


def names(n):
    plain = ['suite/case-%03d' % i for i in range(max(0, n - len(NAMES) - len(HOSTILE)))]
    return (NAMES + HOSTILE + ['..'] + plain)[:n]


def metric(r, name, unit, centre):
    samples = [centre * (1 + r.gauss(0, 0.003)) for _ in range(5)]
    mean, ordered = sum(samples) / 5, sorted(samples)
    width = centre * 0.004 * (1 + r.random())
    spread = (sum((x - mean) ** 2 for x in samples) / 4) ** 0.5
    return {'name': name, 'unit': unit, 'better': 'lower', 'samples': samples, 'n': 5, 'mean': mean,
            'ci': [mean - width, mean + width], 'median': ordered[2], 'stddev': spread,
            'min': ordered[0], 'max': ordered[4], 'p99': ordered[4]}


def verdict_of(step):
    return 'regressed' if step > 1.02 else 'improved' if step < 0.98 else 'unchanged'


def summary(r, project, at, n_commits, levels):
    day = '2026-%02d-%02dT%02d:00:00Z' % (1 + at // 168 % 12, 1 + at // 6 % 28, at % 6 * 4)
    commit, parent = ('%07x' % (0xa000000 + at * 7919) + 'c' * 33), None
    if at:
        parent = '%07x' % (0xa000000 + (at - 1) * 7919) + 'c' * 33
    benchmarks = []
    for name in levels:
        step = 1 + (r.choice([0.08, -0.06, 0.15]) if at and r.random() < 2.5 / n_commits else 0)
        levels[name] *= step * (1 + r.gauss(0, 0.002))
        b = {'name': name, 'status': 'ok', 'gate': 'cpu',
             'metrics': [metric(r, 'cpu', 'ns', levels[name]),
                         metric(r, 'wall', 'ns', levels[name] * 1.1)]}
        if parent:
            b['metrics'][0]['baseline_samples'] = [x / step for x in b['metrics'][0]['samples'][::-1]]
            b['metrics'][0]['delta'] = {
                'ratio': step, 'ci': [step - 0.008, step + 0.009], 'confidence': 0.95, 'p': 0.001,
                'p_adjusted': 0.002, 'verdict': verdict_of(step)}
        benchmarks.append(b)
    return {'schema': 'pawl.summary/1', 'id': '01JE%022d' % (at + 1), 'project': project,
            'commit': {'id': commit, 'parents': [parent] if parent else [], 'tree': None,
                       'branch': 'main', 'subject': '<b>change %d</b>' % at, 'author_time': day,
                       'commit_time': day, 'dirty': False},
            'machine': {'id': '0011223344556677', 'cpu': 'Some CPU @ 2.4 GHz', 'cores': 8},
            'environment': {'warnings': []},
            'settings': {'runs': [20, 30], 'min_time_ns': 250000000, 'confidence': 0.95,
                         'threshold': 0.02},
            'baseline': {'commit': parent, 'how': 'rerun' if parent else None, 'why': None},
            'started': day, 'finished': day, 'pawl': '0.1.0', 'benchmarks': benchmarks}


def main(url, n_commits, n_benchmarks, project='zlib'):
    r = random.Random(7)
    levels = {name: 10 ** r.uniform(3, 7) for name in names(int(n_benchmarks))}
    headers = {'Content-Type': 'application/json'}
    if os.environ.get('PAWL_TOKEN'):
        headers['Authorization'] = 'Bearer ' + os.environ['PAWL_TOKEN']
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=300)
    for at in range(int(n_commits)):
        body = json.dumps(summary(r, project, at, int(n_commits), levels))
        connection.request('POST', '/api/v1/summaries', body, headers)
        reply = connection.getresponse()
        text = reply.read().decode()
        if reply.status != 201:
            sys.exit('%d %s' % (reply.status, text))


main(*sys.argv[1:])

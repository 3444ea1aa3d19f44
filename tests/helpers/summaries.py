# Summary documents that were never measured, one a line: every verdict, every hostile name.
#
#   summaries.py COMMIT BASE each|hostile|many [N]
import json
import math
import random
import sys

HOSTILE = [
    '<script>alert(1)</script>', 'a"b\'c&d', 'comma, space = equals', 'back\\slash\\',
    'caf\u00e9 \u4e2d\u6587', '::error::x', '${x} $(id) `id`', '=1+2', 'tab\tnew\nline', '../../etc',
    ']]>', '</style></svg>', 'per%cent #hash ##x', 'd\u202edrawkcab', '|pipe|', 'Benchmark-8', 'x' * 250,
]


def runs(r, centre, n=20):
    return [centre * (1 + r.gauss(0, 0.004)) for _ in range(n)]


def metric(r, name, unit, head, base, verdict, ratio):
    samples = runs(r, head)
    # not by the module statistics, whose exact fractions take seconds for ten thousand benchmarks
    mean = math.fsum(samples) / 20
    ranked = sorted(samples)
    m = {'name': name, 'unit': unit, 'better': 'lower', 'state': 'ok', 'samples': samples,
         'n': 20, 'mean': mean, 'ci': [mean - head * 0.002, mean + head * 0.002],
         'median': (ranked[9] + ranked[10]) / 2,
         'stddev': math.sqrt(math.fsum((x - mean) ** 2 for x in samples) / 19),
         'min': ranked[0], 'max': ranked[-1], 'p99': ranked[-1]}
    if base:
        m['baseline_samples'] = runs(r, base)
        m['delta'] = {'ratio': ratio, 'ci': [ratio - 0.006, ratio + 0.007], 'confidence': 0.95,
                      'p': 0.001, 'p_adjusted': 0.002, 'noise_floor': 0.01, 'verdict': verdict}
    return m


def bench(r, name, verdict, ratio=1.0, status='ok', n_metrics=4, **more):
    b = {'name': name, 'status': status, 'format': 'command', 'iterations': 1, 'gate': 'cpu',
         'threshold': 0.01, 'paired': True, 'command': 'bench/run --name "x" <input', 'metrics': []}
    if status == 'ok':
        base = 1.2e6 * (1 + r.random())
        metrics = [('cpu', 'ns', base * ratio, base, verdict, ratio),
                   ('wall', 'ns', base * ratio * 1.1, base * 1.1, verdict, ratio),
                   ('peak-rss', 'bytes', 4096 * 1000, None, None, 1),
                   ('instructions', '1', 9e6 * ratio, 9e6, verdict, ratio)]
        b['metrics'] = [metric(r, *m) for m in metrics[:n_metrics]]
    b.update(more)
    return b


def each(r):
    unsure = bench(r, 'unsure', 'inconclusive', 1.009)
    suspect = bench(r, 'stored', 'inconclusive', 1.12, baseline_how='stored')
    suspect['metrics'][0]['delta']['suspect'] = True
    new = bench(r, 'new', '', 1, is_new=True)
    new['metrics'] = [metric(r, 'cpu', 'ns', 5e5, None, None, 1)]
    same = bench(r, 'code', '', binary_id='0' * 64, base_binary_id='0' * 64, paired=False)
    same['metrics'] = []
    return [bench(r, 'deflate/6', 'regressed', 1.034), bench(r, 'inflate', 'improved', 0.931),
            bench(r, 'deflate/9', 'regressed', 1.21,
                  accepted={'commit': 'a' * 40, 'because': 'stronger checks'}),
            bench(r, 'crc32', 'unchanged', 1.001), bench(r, 'adler32', 'unchanged', 0.998), unsure,
            suspect, new, same,
            bench(r, 'broken', '', status='failed', detail='ended with status 1\nno such file'),
            bench(r, 'slow', '', status='timeout'), bench(r, 'gone', '', status='removed'),
            bench(r, 'left out', '', status='skipped')]


def main():
    commit, base, kind = sys.argv[1:4]
    r = random.Random(7)
    if kind == 'each':
        benches = each(r)
    elif kind == 'hostile':
        benches = [bench(r, n, 'regressed', 1.05) for n in HOSTILE]
        benches.append(bench(r, 'bad', '', status='failed',
                             detail='</pre><b>]]>&amp;\n::warning::x\n' * 5))
    else:
        n = int(sys.argv[4])
        benches = [bench(r, 'suite/case/%d' % i, 'regressed' if i == n - 1 else 'unchanged',
                         1.05 if i == n - 1 else 1.0, n_metrics=1) for i in range(n)]
    odd = kind == 'hostile'
    print(json.dumps({
        'schema': 'pawl.summary/1', 'id': '01M7ZHBXZEWS4N99RVV75ERS0' + 'EHM'[
            ['each', 'hostile', 'many'].index(kind)],
        'project': 'proj',
        'commit': {'id': commit, 'parents': [base], 'tree': None,
                   'branch': 'x$(id)"><&' if odd else 'main',
                   'subject': '<b>fix</b> #1 for @octocat' if odd else 'look further',
                   'author_time': '2026-11-20T10:00:00Z', 'commit_time': '2026-11-20T10:00:00Z',
                   'dirty': False, 'truncated': False},
        'machine': {'id': '0123456789abcdef', 'cpu': 'AMD EPYC 7B13', 'cores': 8, 'os': 'Debian 12',
                    'kernel': '6.1.0', 'governor': 'performance',
                    'facts': {'smt': 'on', 'microcode': '0xa0011d1'}},
        'environment': {'load': 0.41, 'pressure': 1.5, 'steal': 0.002,
                        'warnings': ['the processor changes its clock speed: fix it with '
                                     'cpupower frequency-set -g performance']},
        'settings': {'runs': [20, 30], 'min_time_ns': 250000000, 'clock': 'monotonic_raw',
                     'confidence': 0.95, 'threshold': 0.01, 'order': 'interleaved', 'seed': 7,
                     'partial': False},
        'baseline': {'commit': base, 'how': 'rerun', 'why': None}, 'benchmarks': benches,
        'started': '2026-11-20T10:00:00Z', 'finished': '2026-11-20T10:02:30Z', 'pawl': '0.1.0'}))


if __name__ == '__main__':
    main()

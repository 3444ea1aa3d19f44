"""Documents as pawl posts them: small, of 24 benchmarks with one metric, and real, as a first
collect of 24 commands makes it, about 140 KB."""
import ctypes
import json
import random
import statistics
import time

BENCHMARKS = 24
RUNS = 30
ABSENT = ('peak-rss', 'cycles', 'instructions', 'branches', 'branch-misses')
TRACKS = (('start_ns', 27e6), ('voluntary_switches', 1), ('involuntary_switches', 1),
          ('minor_faults', 50), ('major_faults', 0), ('run_delay_ns', 40000), ('steal_ticks', 0),
          ('migrations', 0), ('pressure_ns', 90000), ('anchor-alu', 180000),
          ('anchor-malloc', 220000))
FACTS = {name: 'unknown' for name in
         ('scaling_driver', 'intel_no_turbo', 'boost', 'isolated', 'cgroup_cpu_max', 'on_mains')}
TIME = 1700000000


def metric(chance, name, unit, typical):
    x = [float(round(chance.gauss(typical, typical / 10 + .3))) for _ in range(RUNS)]
    mean, spread = statistics.fmean(x), statistics.stdev(x) / RUNS ** .5
    return {'name': name, 'unit': unit, 'better': 'lower', 'state': 'ok',
            'samples': [int(value) for value in x], 'n': RUNS, 'mean': mean,
            'ci': [mean - 2.05 * spread, mean + 2.05 * spread], 'median': statistics.median(x),
            'stddev': statistics.stdev(x), 'min': min(x), 'max': max(x), 'p99': max(x),
            'throughput_per_s': None, 'baseline_samples': []}


def absent(name):
    return {'name': name, 'unit': '1', 'better': 'lower', 'state': 'absent',
            'reason': 'this processor or VM does not offer the event', 'samples': [], 'n': 0,
            'baseline_samples': []}


def benchmark(chance, i):
    metrics = [metric(chance, 'cpu', 'ns', 600000 + 1000 * i),
               metric(chance, 'wall', 'ns', 650000 + 1000 * i)]
    metrics += [absent(name) for name in ABSENT]
    metrics += [metric(chance, name, '1', typical) for name, typical in
                (('page-faults', 50), ('context-switches', 2), ('cpu-migrations', 1))]
    tracks = [{'name': name, 'head': [int(abs(chance.gauss(typical, typical / 8)) * (k + 1 if
               name == 'start_ns' else 1)) for k in range(RUNS)], 'base': []}
              for name, typical in TRACKS]
    return {'name': 'suite/case-%d' % i, 'status': 'ok', 'verdict': 'no-baseline',
            'command': './step%d' % i, 'format': 'command',
            'binary_id': '%064x-%016x' % (chance.getrandbits(256), chance.getrandbits(64)),
            'is_new': False, 'iterations': 1, 'gate': 'cpu',
            'gate_why': 'one thread that does not wait', 'threshold': .01, 'paired': False,
            'n_void': 0, 'n_disturbed': 0, 'metrics': metrics, 'tracks': tracks}


def small_benchmark(chance, i):
    median = round(chance.gauss(1000 + i, 20), 1)
    low, high = median - 1.5, median + 1.5
    return {'name': 'suite/case-%d' % i, 'status': 'ok', 'gate': 'cpu', 'metrics': [
        {'name': 'cpu', 'unit': 'ns', 'better': 'lower', 'samples': [low, median, high], 'n': 3,
         'mean': median, 'ci': [low, high], 'median': median, 'stddev': 1.5, 'min': low,
         'max': high, 'p99': high}]}


def document(benchmarks, n):
    """Number n: a commit of its own, a minute behind the one before."""
    at = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(TIME + 60 * n))
    return {'schema': 'pawl.summary/1', 'id': '01JD00000000000000%08d' % n, 'project': 'bench',
            'commit': {'id': '%040x' % random.Random(n).getrandbits(160), 'parents': [],
                       'tree': None, 'branch': 'main', 'subject': 'make it faster',
                       'author_time': at, 'commit_time': at, 'dirty': False},
            'machine': {'id': 'f6c9e829ab6b671f', 'cpu': 'some processor', 'cores': 2,
                        'os': 'Debian GNU/Linux 12 (bookworm)', 'kernel': '6.1', 'facts': FACTS},
            'environment': {'load': .5, 'pressure': 0, 'steal': 0, 'warnings': []},
            'settings': {'runs': [20, 30], 'min_time_ns': 1000000, 'clock': 'monotonic_raw',
                         'confidence': .95, 'threshold': .01, 'order': 'interleaved', 'seed': 7},
            'baseline': {'commit': None, 'how': None, 'why': None}, 'benchmarks': benchmarks,
            'started': at, 'finished': at, 'pawl': '0.1.0'}


def text(kind, n):
    chance = random.Random('%s %d' % (kind, n))
    make = benchmark if kind == 'real' else small_benchmark
    return json.dumps(document([make(chance, i) for i in range(BENCHMARKS)], n),
                      separators=(',', ':')).encode()


zstd = ctypes.CDLL('libzstd.so.1')
for call in (zstd.ZSTD_compress, zstd.ZSTD_compressBound):
    call.restype = ctypes.c_size_t


def squeeze(plain):
    room = zstd.ZSTD_compressBound(ctypes.c_size_t(len(plain)))
    out = ctypes.create_string_buffer(room)
    n = zstd.ZSTD_compress(out, ctypes.c_size_t(room), plain, ctypes.c_size_t(len(plain)), 1)
    return out.raw[:n]

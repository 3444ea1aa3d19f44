# Reads workflows and actions as a runner of GitHub Actions does.
#
#   workflow.py check FILE...              what must hold of everything in ci/github
#   workflow.py run FILE NAME CONTEXT [EXPRESSION VALUE]...
#                                          runs the script of that step in this folder, with its
#                                          environment; CONTEXT is a JSON object of the values of
#                                          expressions, such as "inputs.base"; more of them follow
#   workflow.py gitlab FILE JOB            the lines of a job of GitLab CI, one behind the other
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.append('/usr/lib/python3/dist-packages')  # started by -S: nothing of the machine's own is loaded
import yaml  # noqa: E402

EXPRESSION = re.compile(r'\$\{\{\s*(.*?)\s*\}\}')


def load(path):
    with open(path) as file:
        # libyaml, where it is there, takes a tenth of the time
        return yaml.load(file, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))


def steps_of(document):
    if 'runs' in document:
        return document['runs']['steps']
    return [s for job in document['jobs'].values() for s in job['steps']]


def only_deploys(job):
    """A job that hands finished pages to GitHub Pages and runs nothing of the repository."""
    return (set(job['permissions']) == {'pages', 'id-token'} and
            [s['uses'].split('@')[0] for s in job['steps']] == ['actions/deploy-pages'])


def check(path):
    text = open(path).read()
    document = load(path)
    is_workflow = 'jobs' in document
    events = document.get('on', {})
    assert 'pull_request_target' not in events, 'runs changes with the rights of the target'
    secret_jobs = set()
    for name, job in document.get('jobs', {}).items():
        dump = yaml.safe_dump(job)
        if 'secrets.' in dump:
            secret_jobs.add(name)
            assert 'pawl collect' not in dump and 'pawl compare' not in dump, name
            assert '/ci/github@' not in dump, name
        assert 'timeout-minutes' in job, name
        assert 'permissions' not in job or only_deploys(job), 'said once, for all jobs'
    if is_workflow:
        for scope, level in document['permissions'].items():
            # what may write comments runs nothing of a change, and starts from one event alone
            assert level == 'read' or (scope in ('pull-requests', 'statuses') and
                                       list(events) == ['workflow_run'] and
                                       '/ci/github@' not in text), scope
        assert not (secret_jobs and 'pull_request' in events)
    if 'workflow_run' in events:
        assert 'actions/checkout' not in ''.join(s.get('uses', '') for s in steps_of(document))
        assert 'cache' not in ''.join(s.get('uses', '') for s in steps_of(document))
    for step in steps_of(document):
        assert '${{' not in step.get('run', ''), 'an expression in a script is an injection'
        if 'uses' in step:
            assert re.fullmatch(r'[\w./-]+@[0-9a-f]{40}', step['uses']), step['uses']
        if step.get('uses', '').startswith('actions/checkout@'):
            assert step['with']['persist-credentials'] is False
        if not is_workflow and 'run' in step:
            assert step['shell'] == 'bash'


def value(text, context):
    return EXPRESSION.sub(lambda m: context[m.group(1)], str(text))


def run(path, name, context):
    document = load(path)
    found = [s for s in steps_of(document) if s.get('name') == name]
    assert len(found) == 1, name
    environment = dict(os.environb)
    jobs = [j for j in document.get('jobs', {}).values() if found[0] in j['steps']]
    for key, text in [*(jobs[0].get('env', {}) if jobs else {}).items(), *found[0].get('env', {}).items()]:
        environment[os.fsencode(key)] = value(text, context).encode('utf-8', 'surrogateescape')
    with tempfile.NamedTemporaryFile('w', suffix='.sh', delete=False) as script:
        script.write(found[0]['run'])
    # what the runner does for "shell: bash"
    command = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', script.name]
    status = subprocess.call(command, env=environment, stdin=subprocess.DEVNULL)
    os.unlink(script.name)
    sys.exit(status)


def inputs(path):
    document = load(path)
    return {'inputs.' + k: v.get('default', '') for k, v in document['inputs'].items()}


def main():
    what = sys.argv[1]
    if what == 'check':
        for path in sys.argv[2:]:
            try:
                check(path)
            except Exception as fault:
                sys.exit('%s: %r' % (path, fault))
    elif what == 'run':
        context = inputs(sys.argv[2]) if sys.argv[2].endswith('action.yml') else {}
        context |= json.loads(sys.argv[4]) | dict(zip(sys.argv[5::2], sys.argv[6::2]))
        run(sys.argv[2], sys.argv[3], context)
    elif what == 'gitlab':
        document = load(sys.argv[2])
        job = document[sys.argv[3]]
        base = document.get(job.get('extends'), {})
        print('\n'.join(job.get('before_script', base.get('before_script', [])) +
                        base.get('script', []) + job['script']))


main()

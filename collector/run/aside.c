#include "collector/run/aside.h"

#include "collector/run/launch.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

bool aside_is_wanted(const struct bench_config *config)
{
	return config->prepare || config->cleanup;
}

/* Says which of the two failed; what the run itself said stays. */
static int tell(const char *what, const char *why, char **failure, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (*failure)
		return 0;
	buf_addf(&text, "its %s command: %s", what, why);
	result = buf_check(&text, err) || str_set(failure, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/* What it may have taken. */
static uint64_t time_of(const struct child_spec *spec, const struct child *c)
{
	return c->is_graced && spec->stop_grace_ns < spec->timeout_ns ? spec->stop_grace_ns
								      : spec->timeout_ns;
}

static int run_line(struct launch *l, char *line, const char *what, char **failure, struct err *err)
{
	char sh[] = "sh", c[] = "-c";
	char *const argv[] = { sh, c, line, NULL };
	struct err fault = ERR_INIT;
	struct child child = CHILD_INIT;
	struct child_result res;
	struct buf why = BUF_INIT;
	char *broken = NULL;
	int result = -1;

	l->spec.exe = "/bin/sh";
	l->spec.argv = argv;
	l->spec.input = NULL;
	if (child_run(&l->spec, &child, &res, &fault)) {
		if (!launch_fault(&broken, &fault, err))
			result = tell(what, broken, failure, err);
		goto out;
	}
	if (res.timed_out || res.signal || res.exit_status)
		child_explain(&child, &res, time_of(&l->spec, &child), &why);
	result = buf_check(&why, err) || (why.len && tell(what, buf_str(&why), failure, err)) ? -1
											      : 0;
out:
	str_set(&broken, NULL, NULL);
	buf_release(&why);
	child_release(&child);
	return result;
}

static int run_aside(const struct process_runner *r, const struct bench_config *config,
		     const struct side *side, bool before, uint64_t timeout_ns, char **failure,
		     struct err *err)
{
	char *own = before ? side->prepare : side->cleanup;
	char *line = own ? own : before ? config->prepare : config->cleanup;
	struct launch l;
	int result = -1;

	if (!line)
		return 0;
	if (!launch_prepare(&l, r, config, side, err)) {
		l.spec.limits = NULL;
		l.spec.timeout_ns = timeout_ns;
		l.spec.stop_grace_ns = before ? 0 : ASIDE_GRACE_NS;
		result = run_line(&l, line, before ? "prepare" : "cleanup", failure, err);
	}
	launch_release(&l);
	return result;
}

int aside_prepare(const struct process_runner *r, const struct bench_config *config,
		  const struct side *side, uint64_t timeout_ns, char **failure, struct err *err)
{
	return run_aside(r, config, side, true, timeout_ns, failure, err);
}

int aside_clean_up(const struct process_runner *r, const struct bench_config *config,
		   const struct side *side, uint64_t timeout_ns, int result, char **failure,
		   struct err *err)
{
	struct err fault = ERR_INIT;
	char *why = NULL;

	if (!result)
		return run_aside(r, config, side, false, timeout_ns, failure, err);
	/* The fault that is in err already is the one to report. */
	if (run_aside(r, config, side, false, timeout_ns, &why, &fault))
		str_set(&why, fault.text, NULL);
	if (why && err && err->code == ERR_STOPPED)
		err_set(err, ERR_STOPPED, "%s; %s", err->text, why);
	str_set(&why, NULL, NULL);
	return -1;
}

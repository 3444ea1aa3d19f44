#include "collector/run/foreign_process.h"

#include <sys/stat.h>

#include "collector/run/launch.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

void foreign_answer_release(struct foreign_answer *a)
{
	buf_release(&a->text);
	buf_release(&a->failure);
}

/* A file that was not written by this run must not be taken for its answer. */
struct mark {
	bool there;
	struct stat st;
};

static int output_path(const struct foreign_order *o, struct buf *path, struct err *err)
{
	buf_addf(path, "%s/%s", o->side->dir ? o->side->dir : o->r->top, o->config->output);
	return buf_check(path, err);
}

static void mark_file(const char *path, struct mark *m)
{
	m->there = !stat(path, &m->st);
}

static bool is_written(const struct mark *before, const struct mark *after)
{
	return after->there && (!before->there || before->st.st_ino != after->st.st_ino ||
				before->st.st_size != after->st.st_size ||
				before->st.st_mtim.tv_sec != after->st.st_mtim.tv_sec ||
				before->st.st_mtim.tv_nsec != after->st.st_mtim.tv_nsec);
}

static int read_file(const struct foreign_order *o, const char *path, const struct mark *before,
		     struct foreign_answer *a, struct err *err)
{
	struct err fault = ERR_INIT;
	struct mark after;

	mark_file(path, &after);
	if (!is_written(before, &after)) {
		buf_addf(&a->failure, "it did not write '%s'", o->config->output);
		return buf_check(&a->failure, err);
	}
	if (file_read_whole(path, FOREIGN_MAX_ANSWER, &a->text, &fault))
		buf_adds(&a->failure, fault.text);
	return buf_check(&a->failure, err);
}

static int take_stdout(const struct child *child, struct foreign_answer *a, struct err *err)
{
	if (child->out.n_bytes > FOREIGN_MAX_ANSWER)
		buf_addf(&a->failure, "it wrote more than %u bytes", FOREIGN_MAX_ANSWER);
	buf_add(&a->text, buf_str(&child->out.head), child->out.head.len);
	return buf_check(&a->text, err) || buf_check(&a->failure, err) ? -1 : 0;
}

static void fill_run(const struct foreign_order *o, const struct child_result *res)
{
	struct run *run = o->run;

	launch_end(o->r, o->cpu, run);
	run->migrations = res->migrations;
	run->n_left = res->n_left;
	run->peak_rss_bytes = launch_peak_rss(res->max_rss_bytes);
	run->run_delay_ns = res->run_delay_ns;
	run->whole_cpu_ns = (double)res->cpu_ns;
	run->voluntary_switches = (double)res->voluntary_switches;
	run->involuntary_switches = (double)res->involuntary_switches;
	run->minor_faults = (double)res->minor_faults;
	run->major_faults = (double)res->major_faults;
	run->has_threads = launch_has_threads(res);
	run->has_helpers = launch_has_helpers((double)res->cpu_ns, res->main_cpu_ns);
}

/* Starts it and waits; a harness that ends badly gives no answer, whatever it wrote. */
static int run_process(const struct foreign_order *o, struct launch *l, struct foreign_answer *a,
		       struct err *err)
{
	struct child child = CHILD_INIT;
	struct buf path = BUF_INIT;
	struct mark before = { 0 };
	struct err fault = ERR_INIT;
	int result = -1;

	if (o->config->output && output_path(o, &path, err))
		goto out;
	if (path.len)
		mark_file(buf_str(&path), &before);
	if (o->run)
		launch_begin(o->r, o->run);
	if (child_run(&l->spec, &child, &a->res, &fault)) {
		if (fault.code != ERR_CHILD && fault.code != ERR_REFUSED) {
			*err = fault;
			goto out;
		}
		buf_adds(&a->failure, fault.text);
		result = buf_check(&a->failure, err);
		goto out;
	}
	if (o->run)
		fill_run(o, &a->res);
	if (a->res.timed_out || a->res.signal || a->res.exit_status) {
		child_explain(&child, &a->res, o->timeout_ns, &a->failure);
		result = buf_check(&a->failure, err);
	} else if (path.len) {
		result = read_file(o, buf_str(&path), &before, a, err);
	} else {
		result = take_stdout(&child, a, err);
	}
out:
	buf_release(&path);
	child_release(&child);
	return result;
}

int foreign_process(const struct foreign_order *o, struct foreign_answer *out, struct err *err)
{
	struct strv argv = STRV_INIT;
	struct launch l;
	int result = -1;

	if (launch_prepare(&l, o->r, o->config, o->side, err) || launch_pad(&l, o->padding, err) ||
	    strv_add_all(&argv, l.spec.argv, err) ||
	    (o->words && o->words->n && strv_add_all(&argv, o->words->v, err)))
		goto out;
	l.spec.argv = argv.v;
	l.spec.cpu = o->cpu;
	l.spec.timeout_ns = o->timeout_ns;
	l.spec.keep_output = FOREIGN_MAX_ANSWER;
	result = run_process(o, &l, out, err);
out:
	strv_release(&argv);
	launch_release(&l);
	return result;
}

#include "collector/inner.h"

#include "collector/run/foreign_look.h"
#include "collector/run/foreign_run.h"

#include "lib/base/banned.h"

void inner_release(struct inner *in)
{
	strv_release(&in->names);
	strv_release(&in->selectors);
}

/*
 * Whether it is another harness's program.  One that was only guessed to be, and does not answer
 * as such, is none.
 */
static int list_foreign(const struct process_runner *r, const struct talk *talk,
			const struct bench_config *config, const struct side *head,
			struct inner *in, bool *out_is, struct err *err)
{
	enum bench_format format = config->format_given ? config->format
				   : head->binary_id	? foreign_look_guess(head->exe)
							: FORMAT_COMMAND;
	struct err fault = ERR_INIT;

	*out_is = bench_format_is_foreign(format);
	if (!*out_is)
		return 0;
	in->format = format;
	if (!foreign_run_list(r, config, format, head, &in->names, &in->selectors, &fault) &&
	    (in->names.n || !config->format_given)) {
		*out_is = in->names.n > 0;
		return 0;
	}
	if (!fault.code)
		err_set(&fault, ERR_CHILD, "'%s' holds no benchmark", head->exe);
	if (config->format_given || (fault.code != ERR_CHILD && fault.code != ERR_TIMEOUT)) {
		*err = fault;
		return -1;
	}
	talk_warn(talk, "correct its options, or write 'format = command' if that is meant",
		  "%s: measured as a whole, for the program looks like one of %s but does not "
		  "tell its benchmarks: %s",
		  config->name, bench_format_name(format), fault.text);
	*out_is = false;
	inner_release(in);
	return 0;
}

/* As a whole it would come out unchanged whatever its code does. */
static int refuse_repeater(const struct bench_config *config, const struct side *head,
			   struct err *err)
{
	const char *harness = head->binary_id ? foreign_look_repeater(head->exe) : NULL;

	if (!harness)
		return 0;
	err_set(err, ERR_CHILD, INNER_REPEATS, harness);
	return err_hint(err,
			"let pawl read its figures: benchmark.%s.format = %s, and output where it "
			"writes a file; or format = command, if it always does the same work",
			config->name, harness);
}

int inner_list(const struct process_runner *r, const struct talk *talk,
	       const struct bench_config *config, const struct side *head, struct inner *in,
	       struct err *err)
{
	bool speaks = false, is_foreign = false;

	if (config->format_given && config->format == FORMAT_COMMAND)
		return 0;
	if (list_foreign(r, talk, config, head, in, &is_foreign, err))
		return -1;
	if (is_foreign)
		return 0;
	in->format = FORMAT_COMMAND;
	if (!config->format_given && refuse_repeater(config, head, err))
		return -1;
	/* Nothing but a program linked to libpawl knows the question: do not run a script for it.
	 */
	if (!config->format_given && !head->binary_id)
		return 0;
	if (runner_list(r, config, head, &in->names, &speaks, err))
		return -1;
	if (!speaks && config->format_given) {
		err_set(err, ERR_CHILD, "'%s' does not answer as a program linked to libpawl",
			head->exe);
		return err_hint(err, "set benchmark.%s.format to command", config->name);
	}
	if (speaks && !in->names.n)
		return err_set(err, ERR_CHILD, "'%s' holds no benchmark", head->exe);
	in->format = speaks ? FORMAT_PAWL : FORMAT_COMMAND;
	in->alarms = !speaks && !config->format_given && foreign_look_alarm(head->exe);
	return 0;
}

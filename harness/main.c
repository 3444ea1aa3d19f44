/* SPDX-License-Identifier: MIT */
#include "harness/session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/show/clocks.h"
#include "harness/show/hand.h"
#include "harness/speak/ask.h"
#include "harness/speak/second.h"
#include "harness/os/os.h"
#include "harness/session/shuffle.h"

/* The options that need no list and no clock.  Returns false when there is more to do. */
static bool answer_at_once(const struct session *s)
{
	switch (s->options.action) {
	case ACTION_HELP:
		(void)printf("usage: %s [options]\n\n%s", s->program, pawl_help);
		return true;
	case ACTION_VERSION:
		(void)printf("%s, pawl %s\n", s->program, pawl_version());
		return true;
	case ACTION_CLOCKS:
		(s->options.json ? pawl_clocks_print_json : pawl_clocks_print)(stdout);
		return true;
	case ACTION_LIST:
	case ACTION_MEASURE:
		return false;
	}
	return false;
}

/* An answer that did not arrive is a failure. */
static int flush(const struct session *s, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	(void)fprintf(stderr, "%s: error: cannot write to stdout: %s\n", s->program,
		      strerror(errno));
	return status ? status : STATUS_FAILED;
}

/* Puts the arguments, and a random order, into the list.  Returns false after a fault. */
static bool write_out(struct session *s, char *fault)
{
	bool random = s->options.shuffle && (s->orders.fd < 0 || s->orders.ask == ASK_ALL);
	if (!pawl_expand(s->list, s->count, &s->expanded, fault))
		return false;
	s->list = s->expanded.list;
	s->count = s->expanded.count;
	if (random)
		pawl_shuffle(s->options.seed, s->expanded.list, s->count);
	return true;
}

static int work(struct session *s, int argc, char **argv)
{
	char orders_fault[OPTIONS_FAULT] = "", fault[OPTIONS_FAULT] = "";
	(void)pawl_orders_read(&s->orders, orders_fault);
	if (s->orders.fd >= 0)
		pawl_os_wire_keep(s->orders.fd);
	bool good = pawl_options_read(argc, argv, &s->options, fault);
	if (good && answer_at_once(s))
		return flush(s, STATUS_OK);
	good = good && pawl_list_check(s->list, s->count, fault) && write_out(s, fault);
	if (good && pawl_second_is_wanted())
		return pawl_second_answer(s);
	if (s->orders.steady ? pawl_instruments_open_steady(&s->in)
			     : pawl_instruments_open(&s->in, s->options.clock)) {
		(void)fprintf(stderr, "%s: error: %s\n", s->program, s->in.wall.reason);
		return STATUS_USAGE;
	}
	if (!good || orders_fault[0])
		return pawl_ask_refuse(s, good ? orders_fault : fault);
	pawl_session_prepare(s);
	if (s->orders.fd >= 0)
		return pawl_ask(s);
	return flush(s, pawl_hand(s));
}

int pawl_main(int argc, char **argv, const struct pawl_bench *list, size_t count)
{
	struct session *s = calloc(1, sizeof(*s));
	const char *program = argc > 0 && argv[0] ? pawl_os_file_name(argv[0]) : "pawl";
	int status;
	if (!s) {
		(void)fprintf(stderr, "%s: error: out of memory\n", program);
		return STATUS_USAGE;
	}
	s->program = program;
	s->list = list;
	s->count = count;
	s->calls = &pawl_counter_system;
	pawl_text_init(&s->text, s->memory, sizeof(s->memory));
	status = work(s, argc, argv);
	pawl_expand_release(&s->expanded);
	free(s);
	return status;
}

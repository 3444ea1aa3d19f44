/* What this machine can measure, and what will add noise. */
#include <string.h>

#include "cli/doctor/doctor.h"
#include "collector/code/identify.h"
#include "collector/machine/machine.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

static void look_at_noise(struct diagnosis *d, const struct summary *s)
{
	const struct strv *warnings = &s->environment.warnings;
	size_t i;

	for (i = 0; i < warnings->n; i++) {
		const char *colon = strstr(warnings->v[i], ": ");
		int n = colon ? (int)(colon - warnings->v[i]) : (int)strlen(warnings->v[i]);

		finding_add(d, "noise", DOCTOR_NOTE, colon ? colon + 2 : NULL, "%.*s", n,
			    warnings->v[i]);
	}
	if (!warnings->n)
		finding_add(d, "noise", DOCTOR_OK, NULL, "nothing that disturbs was seen");
}

static void look_at_clock(struct diagnosis *d)
{
	char name[64];

	if (!file_first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
			     name, sizeof(name)))
		return;
	if (!strcmp(name, "tsc") || !strcmp(name, "kvm-clock") || !strcmp(name, "arch_sys_counter"))
		finding_add(d, "clock", DOCTOR_OK, NULL, "the kernel reads %s", name);
	else
		finding_add(d, "clock", DOCTOR_NOTE,
			    "boot with clocksource=tsc if the processor's counter can be trusted",
			    "the kernel reads %s, which takes long: short runs get noisier", name);
}

static bool is_installed(const char *name)
{
	struct buf file = BUF_INIT;
	bool found = !identify_find(".", name, &file, NULL);

	buf_release(&file);
	return found;
}

static void look_at_tools(struct diagnosis *d)
{
	if (is_installed("valgrind"))
		finding_add(d, "valgrind", DOCTOR_OK, NULL,
			    "is there: 'pawl why' and --work can count instructions");
	else
		finding_add(d, "valgrind", DOCTOR_NOTE, "install the package valgrind",
			    "is missing: 'pawl why' and --work cannot count instructions");
}

void doctor_look_machine(struct diagnosis *d)
{
	struct environment_mark mark;
	struct err err = ERR_INIT;
	struct summary s;

	summary_init(&s);
	environment_begin(&s.environment, &mark);
	if (machine_describe(&s.machine, &err) ||
	    environment_end(&s.environment, &mark, &s.machine, true, &err)) {
		finding_add(d, "machine", DOCTOR_FAULT, err.hint, "%s", err.text);
	} else {
		finding_add(d, "machine", DOCTOR_OK, NULL, "%s, %d processors to use",
			    s.machine.cpu ? s.machine.cpu : "unknown processor",
			    machine_processors());
		look_at_noise(d, &s);
	}
	look_at_clock(d);
	look_at_tools(d);
	summary_release(&s);
}

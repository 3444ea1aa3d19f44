/* SPDX-License-Identifier: MIT */
#include "harness/engine/engine.h"

const char *pawl_strategy_name(enum strategy strategy)
{
	switch (strategy) {
	case STRATEGY_GMPBENCH:
		return "gmpbench";
	case STRATEGY_BATCHES:
		return "batches";
	case STRATEGY_ITERATIONS:
		return "iterations";
	}
	return "";
}

const char *pawl_estimate_name(enum estimate estimate)
{
	switch (estimate) {
	case ESTIMATE_MEAN:
		return "mean";
	case ESTIMATE_CLEAN:
		return "clean";
	case ESTIMATE_CPU:
		return "cpu";
	}
	return "";
}

const char *pawl_cause_name(enum cause cause)
{
	switch (cause) {
	case CAUSE_CLOCK:
		return "clock";
	case CAUSE_FAILED:
		return "failed";
	case CAUSE_MIGRATED:
		return "migrated";
	case CAUSE_PREEMPTED:
		return "preempted";
	case CAUSE_N:
		break;
	}
	return "";
}

const char *pawl_note_text(enum note note)
{
	switch (note) {
	case NOTE_SLOW:
		return "one iteration took longer than the least time: it ran once";
	case NOTE_DIRTY:
		return "no batch had the processor to itself: others are using this machine";
	case NOTE_APART:
		return "the time was over before 11 clean batches agreed within 1 %";
	case NOTE_COARSE:
		return "below resolution: what is timed in one go is under 20 steps of the clock";
	case NOTE_JUMPED:
		return "the clock jumped; batches in which it did are left out";
	case NOTE_WAITS:
		return "the operation waits: its batches are judged by run delay, not by CPU time";
	case NOTE_DELAYED:
		return "most batches waited for a processor: others use it, or what they wait for";
	case NOTE_CPU:
		return "no batch is clean: the estimate is the CPU time of an iteration";
	case NOTE_MEAN:
		return "no batch is clean: the estimate is the mean, with all that disturbed it";
	}
	return "";
}

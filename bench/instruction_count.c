/* Start and stop callgrind's counting from Python with valgrind's client requests; see gate.py. */
#include <valgrind/callgrind.h>

int is_counting_possible(void) { return RUNNING_ON_VALGRIND; }

void start(void) {
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
}

void stop(const char *name) {
	CALLGRIND_DUMP_STATS_AT(name);
	CALLGRIND_STOP_INSTRUMENTATION;
}

/* Sleeps for most of its time. */
#include <unistd.h>

#include "common.h"

int main(void)
{
	return compute(1000000) | usleep(GROWN(20000));
}

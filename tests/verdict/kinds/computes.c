/* Some 5 ms of one thread that does nothing else. */
#include "common.h"

int main(void)
{
	return compute(3000000);
}

/* One thread that does nothing else, for so long that starting it is no part of the figure. */
#include "common.h"

int main(void)
{
	return compute(12000000);
}

/* SPDX-License-Identifier: MIT */
#include "include/pawl.h"

const char *pawl_version(void)
{
	return PAWL_VERSION;
}

/*
 * decimal - doubles of 16 to 19 decimal digits, read and written by whole numbers of 128 bits: to
 * the last bit as strtod() and snprintf() do it, in a tenth of their time.
 */
#ifndef PAWL_BASE_DECIMAL_H
#define PAWL_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#define DECIMAL_DIGITS 17 /* as many tell every double from its neighbours */

/*
 * The double nearest to digits / 10^places, the even one of two as near.  false: not for those
 * (0, more than 19 places), or not on this machine.
 */
bool decimal_read(uint64_t digits, unsigned places, double *out);

/*
 * The fewest digits from 16 on, 16 or 17, that read back as value: *digits / 10^*places, nearest to
 * it.  value from 0.0001 up to 10^15; false: not on this machine.
 */
bool decimal_write(double value, uint64_t *digits, unsigned *places);

#endif

#ifndef CHECKSUM_H
#define CHECKSUM_H

#define STEPS 1000 /* the tests make it forty times as much: the slowdown that is to be found */

unsigned long long checksum(unsigned long long x);

#endif

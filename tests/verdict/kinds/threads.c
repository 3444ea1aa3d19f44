/* Two threads share the work. */
#include <pthread.h>

#include "common.h"

static void *work(void *n)
{
	return compute(12000000) ? n : NULL;
}

int main(void)
{
	pthread_t t;

	return pthread_create(&t, NULL, work, NULL) || compute(12000000) || pthread_join(t, NULL);
}

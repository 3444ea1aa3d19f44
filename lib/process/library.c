#include "lib/process/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define LIBRARIES 8 /* pawl has two */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *opened[LIBRARIES];
static size_t n_opened;

/* The loader's reason of the first name stays: a later name or the folder are only guesses. */
static void *find(const struct library *l, struct buf *why)
{
	struct buf path = BUF_INIT;
	void *found = NULL;
	size_t i;

	for (i = 0; i < LIBRARY_FILES && l->files[i] && !found; i++) {
		found = dlopen(l->files[i], RTLD_LAZY | RTLD_LOCAL);
		if (!found && !why->len)
			buf_adds(why, dlerror());
	}
	for (i = 0; l->folder && i < LIBRARY_FILES && l->files[i] && !found; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", l->folder, l->files[i]);
		if (!path.failed)
			found = dlopen(buf_str(&path), RTLD_LAZY | RTLD_LOCAL);
	}
	buf_release(&path);
	return found;
}

/* A table is filled whole or not at all. */
static int fill(const struct library *l, void *handle, struct buf *why)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!dlsym(handle, l->names[i])) {
			buf_reset(why);
			buf_adds(why, dlerror());
			return -1;
		}
	for (i = 0; i < l->n; i++) {
		void *function = dlsym(handle, l->names[i]);

		memcpy((char *)l->table + i * sizeof(function), &function, sizeof(function));
	}
	return 0;
}

int library_open(struct library *l, struct err *err)
{
	struct buf why = BUF_INIT;
	void *handle;
	int result = 0;

	if (atomic_load_explicit(&l->is_open, memory_order_acquire))
		return 0;
	pthread_mutex_lock(&lock);
	if (!atomic_load_explicit(&l->is_open, memory_order_relaxed)) {
		handle = find(l, &why);
		if (handle && n_opened < LIBRARIES && !fill(l, handle, &why)) {
			opened[n_opened++] = handle;
			atomic_store_explicit(&l->is_open, true, memory_order_release);
		} else {
			result = err_set(err, l->absence, "cannot open %s: %s", l->name,
					 buf_str(&why));
			err_hint(err, "install %s, or name its folder in LD_LIBRARY_PATH", l->name);
			if (handle)
				dlclose(handle);
		}
	}
	pthread_mutex_unlock(&lock);
	buf_release(&why);
	return result;
}

void *library_function(const char *name)
{
	void *found = NULL;
	size_t i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < n_opened && !found; i++)
		found = dlsym(opened[i], name);
	pthread_mutex_unlock(&lock);
	return found;
}

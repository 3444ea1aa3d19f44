/*
 * alive - what the script of the pages needs to draw a history anew, and the script itself.
 */
#ifndef PAWL_SERVER_PAGE_ALIVE_H
#define PAWL_SERVER_PAGE_ALIVE_H

#include "server/page/picture.h"

#define ALIVE_SCRIPT "/plot.js"
/* Of more points the picture stays as it is: the page would be too large. */
#define ALIVE_MOST 2000

/* Appends the attributes of the element that holds the picture. */
void alive_add(const struct picture *p, struct buf *out);

#endif

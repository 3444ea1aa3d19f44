/*
 * trend_svg_local - what the two files that draw a trend share: where things stand.
 */
#ifndef PAWL_REPORTER_TREND_SVG_LOCAL_H
#define PAWL_REPORTER_TREND_SVG_LOCAL_H

#include "reporter/text/svg.h"
#include "reporter/trend/scene.h"

/* The picture, inside it the area, and inside that the levels: above them stand the deltas. */
#define SVG_WIDTH 960
#define SVG_HEIGHT 460
#define SVG_HEADLESS 76 /* where it begins without its title */
#define SVG_LEFT 76.0
#define SVG_RIGHT 936.0
#define SVG_TOP 144.0
#define SVG_LEVELS 184.0
#define SVG_BOTTOM 392.0

double svg_x(const struct trend_scene *scene, size_t i);
double svg_y(const struct trend_scene *scene, double value);

/* The mark's sign around a point. */
void svg_shape(enum trend_mark mark, double x, double y, struct buf *out);

/* "pawl-" and this is the class of a mark. */
const char *svg_mark_class(enum trend_mark mark);

/* Style, ground, titles unless it has none, legend and axes. */
void svg_frame(const struct trend *t, const struct trend_scene *scene, bool is_headed,
	       struct buf *out);

#endif

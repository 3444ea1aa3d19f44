/*
 * svg - what every picture is made of: text that is harmless, lines, the colours of the ground.
 *
 * Class names carry a prefix: inside a page they must not meet others.
 */
#ifndef PAWL_REPORTER_TEXT_SVG_H
#define PAWL_REPORTER_TEXT_SVG_H

#include "lib/base/buf.h"

/* Ground, writing and rules, by light and behind "prefers-color-scheme:dark". */
#define SVG_LIGHT \
	".pawl-ground{fill:#ffffff}\n" \
	".pawl-text{fill:#1f2328}.pawl-soft{fill:#59636e}\n" \
	".pawl-grid{stroke:#e3e7ec}.pawl-axis{stroke:#8c959f}\n"
#define SVG_DARK \
	".pawl-ground{fill:#0d1117}\n" \
	".pawl-text{fill:#e6edf3}.pawl-soft{fill:#9198a1}\n" \
	".pawl-grid{stroke:#21262d}.pawl-axis{stroke:#656c76}\n"

#define SVG_SOFT "class=\"pawl-soft\" font-size=\"12\""
#define SVG_TEXT "class=\"pawl-text\" font-size=\"13\""
#define SVG_HEADING "class=\"pawl-text\" font-size=\"17\" font-weight=\"600\""

/* The opening tag of a picture whose first visible line is `top`. */
void svg_open(int top, int width, int height, struct buf *out);

/* What a reader who sees no picture is told; both are raw. */
void svg_describe(const struct buf *title, const struct buf *description, struct buf *out);

/* <text> with words of any bytes, made harmless and cut to columns in the middle. */
void svg_words(double x, double y, const char *rest, const char *words, int columns,
	       struct buf *out);

/* The same with what is in raw, which is emptied; its failure becomes that of out. */
void svg_text(double x, double y, const char *rest, struct buf *raw, int columns, struct buf *out);

/* <line>; rest is put behind its attributes and begins with a blank. */
void svg_line(const char *class, double x1, double y1, double x2, double y2, const char *rest,
	      struct buf *out);

#endif

/* playground.h - the functions that docs/playground/playground.js calls. */
#ifndef WARPLENS_PLAYGROUND_PLAYGROUND_H
#define WARPLENS_PLAYGROUND_PLAYGROUND_H

/* Where the page writes what it asks: the GPU's name and the expression, each with a zero byte behind; 8192
 * bytes in all. */
char *playground_input(void);

/* The explanation as the object of `explain --format json`, of several accesses the objects with ",\n" between; or
 * {"error":"column 3: ..."}. */
const char *playground_explain(void);

/* The picture: within a page, and as `explain --format svg` writes it. */
const char *playground_draw(void);
const char *playground_draw_alone(void);

/* The style sheet of pictures in a page. */
const char *playground_style(void);

/* All GPUs, three lines each: name, title, compute capability. */
const char *playground_gpus(void);

#endif

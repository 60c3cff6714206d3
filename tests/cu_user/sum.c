#include <stdlib.h>
/* printf(">>>>>%d<<<<<<<\n", __global__); it's a comment */
int sum_of(const float *v, int n)
{
    const char *text = "k<<<1, 2>>>()", quote = '"';
    int *class = malloc(sizeof *class), new = 0;
    for (*class = 0; *class < n; ++*class)
        new += (int)v[*class];
    free(class);
    return quote == '"' && text[1] == '<' ? new : -1;
}

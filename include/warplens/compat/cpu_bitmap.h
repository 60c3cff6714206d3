/* cpu_bitmap.h - the image of the programs of "CUDA by Example": four bytes a pixel in host memory.
 * There is no window here: what would be shown is left out, and the program ends as if it were closed.
 */
#ifndef WARPLENS_COMPAT_CPU_BITMAP_H
#define WARPLENS_COMPAT_CPU_BITMAP_H
#pragma GCC system_header

#include "warplens/cuda.h"

struct CPUBitmap {
    unsigned char *pixels;
    int x, y;
    void *dataBlock;
    void (*bitmapExit)(void *);

    CPUBitmap(int width, int height, void *data = NULL)
        : pixels(new unsigned char[(size_t)width * height * 4]()), x(width), y(height),
          dataBlock(data), bitmapExit(NULL)
    {
    }
    ~CPUBitmap()
    {
        delete[] pixels;
    }
    unsigned char *get_ptr() const
    {
        return pixels;
    }
    long image_size() const
    {
        return (long)x * y * 4;
    }
    void display_and_exit(void (*leave)(void *) = NULL)
    {
        fflush(stdout);
        fprintf(stderr, "cpu_bitmap.h: an image of %d x %d pixels is not shown\n", x, y);
        if (leave)
            leave(dataBlock);
    }
};

#endif

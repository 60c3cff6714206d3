/* cpu_anim.h - the animation of the programs of "CUDA by Example". There is no window here: two frames
 * are computed, and the program ends as if it were closed.
 */
#ifndef WARPLENS_COMPAT_CPU_ANIM_H
#define WARPLENS_COMPAT_CPU_ANIM_H
#pragma GCC system_header

#include "warplens/cuda.h"

struct CPUAnimBitmap {
    enum { FRAMES = 2 };
    unsigned char *pixels;
    int width, height;
    void *dataBlock;

    CPUAnimBitmap(int w, int h, void *data = NULL)
        : pixels(new unsigned char[(size_t)w * h * 4]()), width(w), height(h), dataBlock(data)
    {
    }
    ~CPUAnimBitmap()
    {
        delete[] pixels;
    }
    unsigned char *get_ptr() const
    {
        return pixels;
    }
    long image_size() const
    {
        return (long)width * height * 4;
    }
    void click_drag(void (*)(void *, int, int, int, int))
    {
    }
    void anim_and_exit(void (*frame)(void *, int), void (*leave)(void *))
    {
        for (int ticks = 1; ticks <= FRAMES; ticks++)
            frame(dataBlock, ticks);
        fflush(stdout);
        fprintf(stderr, "cpu_anim.h: %d frames of %d x %d pixels are not shown\n", (int)FRAMES,
                width, height);
        if (leave)
            leave(dataBlock);
    }
};

#endif

/* Launches that do not fit their kernels, and what is refused: LAUNCH is one of them. */
#include <cooperative_groups.h>
__global__ void k(int *p, float f) { p[0] = f; }
__global__ void d(int *p, float f = 2) { p[0] = f; }
template <class T> __global__ void t(T *p, int n) { p[0] = n; }
template <class G> __device__ void wait(const G &group) { group.sync(); }
struct big { char bytes[BYTES]; };
__global__ void large(big b, int *p) { p[0] = b.bytes[0]; }
__global__ void grid(int *p)
{
    auto all = cooperative_groups::this_grid();
#ifdef GRID
    wait(all);
#endif
    p[all.thread_rank()] = 1;
}
int main()
{
    int *p = 0;
    float *q = 0;
    static big b;
    LAUNCH;
    (void)p, (void)q, (void)b;
}

/* Launches that do not fit their kernels, and what is refused: LAUNCH is one of them. */
__global__ void k(int *p, float f) { p[0] = f; }
__global__ void d(int *p, float f = 2) { p[0] = f; }
template <class T> __global__ void t(T *p, int n) { p[0] = n; }
struct big { char bytes[BYTES]; };
__global__ void large(big b, int *p) { p[0] = b.bytes[0]; }
int main()
{
    int *p = 0;
    float *q = 0;
    static big b;
    LAUNCH;
    (void)p, (void)q, (void)b;
}

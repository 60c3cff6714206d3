// Sums in memory and in registers.

//@ accumulateGlobal<<<2, 64>>> y:float[128]=mod5 x:float[32]=mod7 n=17
__global__ void accumulateGlobal(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        y[i] += x[k];
}

//@ accumulateRestrict<<<2, 64>>> y:float[128]=mod5 x:float[32]=mod7 n=17
__global__ void accumulateRestrict(float *__restrict__ y, const float *__restrict__ x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        y[i] += x[k];
}

//@ accumulateInt<<<1, 96>>> y:int[96]=sym100 x:int[96]=rand50 w:int[16]=sym9 n=11
__global__ void accumulateInt(int *y, const int *x, const int *w, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++)
        y[i] += x[i] * w[k];
}

//@ accumulateDouble<<<2, 32>>> y:double[64]=zero a:double[640]=rand100 b:double[16]=mod3 n=10
__global__ void accumulateDouble(double *y, double *a, double *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        y[i] += a[k * 64 + i] * b[k];
}

//@ accumulateRegister<<<2, 64>>> y:float[128]=zero a:float[1024]=rand64 x:float[16]=mod5 n=8
__global__ void accumulateRegister(float *y, const float *a, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * x[k];
    y[i] = sum;
}

//@ accumulateOnto<<<2, 64>>> y:float[128]=mod9 a:float[1024]=rand64 n=8
__global__ void accumulateOnto(float *y, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = y[i];
    for (int k = 0; k < n; k++)
        sum += a[k * 128 + i];
    y[i] = sum;
}

//@ accumulateConditional<<<2, 64>>> y:int[128]=zero x:int[1024]=sym20 n=8
__global__ void accumulateConditional(int *y, const int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        if (x[k * 128 + i] > 0)
            y[i] += x[k * 128 + i];
}

//@ accumulateTwo<<<1, 64>>> sum:float[64]=zero squares:float[64]=zero x:float[512]=rand16 n=8
__global__ void accumulateTwo(float *sum, float *squares, const float *x, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        sum[i] += x[k * 64 + i];
        squares[i] += x[k * 64 + i] * x[k * 64 + i];
    }
}

//@ accumulateTwoRestrict<<<1, 64>>> sum:float[64]=zero squares:float[64]=zero x:float[512]=rand16 n=8
__global__ void accumulateTwoRestrict(float *__restrict__ sum, float *__restrict__ squares,
                                      const float *__restrict__ x, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        sum[i] += x[k * 64 + i];
        squares[i] += x[k * 64 + i] * x[k * 64 + i];
    }
}

//@ accumulateShared<<<2, 32>>> y:float[64]=zero x:float[256]=rand10
__global__ void accumulateShared(float *y, const float *x) {
    __shared__ float sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = 0.0f;
    for (int k = 0; k < 4; k++)
        sums[threadIdx.x] += x[k * 64 + i];
    y[i] = sums[threadIdx.x];
}

//@ accumulateInto<<<1, 32>>> total:ull[1]=zero x:uint[160]=rand1000 n=5
__global__ void accumulateInto(unsigned long long *total, const unsigned *x, int n) {
    unsigned long long sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k * 32 + threadIdx.x];
    atomicAdd(total, sum);
}

//@ accumulatePointer<<<2, 32>>> y:float[64]=zero x:float[448]=rand9
__global__ void accumulatePointer(float *y, const float *x) {
    const float *p = x + 7 * (blockIdx.x * 32 + threadIdx.x);
    const float *end = p + 7;
    float sum = 0;
    while (p != end)
        sum += *p++;
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

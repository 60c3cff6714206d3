// Element types, local arrays, device functions, templates, atomics, warps.

//@ charAdd<<<1, 32>>> a:char[32]=sym60 b:char[32]=sym60 c:char[32]=zero
__global__ void charAdd(const char *a, const char *b, char *c) {
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

//@ charFour<<<1, 32>>> a:char[128]=sym60 sums:int[32]=zero
__global__ void charFour(const char *a, int *sums) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a[threadIdx.x * 4 + i];
    sums[threadIdx.x] = sum;
}

//@ shortScale<<<1, 32>>> a:short[64]=sym900 n=2
__global__ void shortScale(short *a, int n) {
    for (int i = 0; i < n; i++)
        a[i * 32 + threadIdx.x] = a[i * 32 + threadIdx.x] * 3 / 2;
}

//@ shortPairs<<<1, 32>>> a:short[64]=sym900 out:int[32]=zero
__global__ void shortPairs(const short *a, int *out) {
    out[threadIdx.x] = a[2 * threadIdx.x] * a[2 * threadIdx.x + 1];
}

//@ longSums<<<1, 32>>> a:ll[128]=sym30000 out:ll[32]=zero n=4
__global__ void longSums(const long long *a, long long *out, int n) {
    for (int i = 0; i < n; i++)
        out[threadIdx.x] += a[i * 32 + threadIdx.x];
}

//@ packWords<<<1, 32>>> bytes:uchar[128]=rand256 words:uint[32]=zero
__global__ void packWords(const unsigned char *bytes, unsigned *words) {
    const unsigned char *p = bytes + 4 * threadIdx.x;
    words[threadIdx.x] = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}

//@ unpackWords<<<1, 32>>> words:uint[32]=rand60000 bytes:uchar[128]=zero
__global__ void unpackWords(const unsigned *words, unsigned char *bytes) {
    unsigned word = words[threadIdx.x];
    for (int i = 0; i < 4; i++)
        bytes[4 * threadIdx.x + i] = word >> 8 * i;
}

//@ bitPlanes<<<1, 32>>> words:uint[32]=rand60000 out:int[32]=zero
__global__ void bitPlanes(const unsigned *words, int *out) {
    unsigned word = words[threadIdx.x];
    out[threadIdx.x] = __popc(word) * 100 + __clz(word) + (__brev(word) >> 28);
}

//@ boolFlags<<<1, 32>>> x:int[32]=sym9 flags:uchar[32](bool)=zero
__global__ void boolFlags(const int *x, bool *flags) {
    flags[threadIdx.x] = x[threadIdx.x] > 0;
}

//@ floatToInt<<<1, 32>>> x:float[32]=rand900 y:int[32]=zero
__global__ void floatToInt(const float *x, int *y) {
    y[threadIdx.x] = (int)(x[threadIdx.x] * 0.37f) + __float2int_rn(x[threadIdx.x]);
}

//@ doubleFromFloat<<<1, 32>>> x:float[32]=rand900 y:double[32]=mod4
__global__ void doubleFromFloat(const float *x, double *y) {
    y[threadIdx.x] = x[threadIdx.x] * y[threadIdx.x] / 3.0;
}

//@ localConstant<<<1, 32>>> x:float[128]=rand9 y:float[32]=zero
__global__ void localConstant(const float *x, float *y) {
    float v[4];
    for (int i = 0; i < 4; i++)
        v[i] = x[i * 32 + threadIdx.x];
    y[threadIdx.x] = v[0] * v[3] - v[1] * v[2];
}

//@ localDynamic<<<1, 32>>> x:float[256]=rand9 y:float[32]=zero which:int[32]=mod8
__global__ void localDynamic(const float *x, float *y, const int *which) {
    float v[8];
    for (int i = 0; i < 8; i++)
        v[i] = x[i * 32 + threadIdx.x] * 2;
    y[threadIdx.x] = v[which[threadIdx.x]];
}

//@ localStack<<<1, 32>>> y:int[32]=zero n=6
__global__ void localStack(int *y, int n) {
    int stack[8], top = 0, sum = 0;
    stack[top++] = threadIdx.x + n;
    while (top > 0) {
        int v = stack[--top];
        if (v > 3) {
            stack[top++] = v / 3;
            stack[top++] = v / 4;
        }
        sum += v;
    }
    y[threadIdx.x] = sum;
}

//@ localTable<<<1, 32>>> x:int[32]=rand7 y:int[32]=zero
__global__ void localTable(const int *x, int *y) {
    const int days[7] = {31, 28, 31, 30, 17, 30, 5};
    y[threadIdx.x] = days[x[threadIdx.x]];
}

//@ localReverse<<<1, 32>>> x:int[256]=rand90 n=8
__global__ void localReverse(int *x, int n) {
    int own[8];
    for (int i = 0; i < n; i++)
        own[i] = x[threadIdx.x * 8 + i];
    for (int i = 0; i < n; i++)
        x[threadIdx.x * 8 + i] = own[n - 1 - i];
}

__device__ float square(float x) {
    return x * x;
}
__device__ float at(const float *m, int r, int c, int w) {
    return m[r * w + c];
}
__device__ void put(float *m, int i, float v) {
    m[i] = v;
}

//@ deviceFunctions<<<1, 16>>> m:float[256]=rand9 out:float[16]=zero
__global__ void deviceFunctions(const float *m, float *out) {
    float sum = 0;
    for (int c = 0; c < 16; c++)
        sum += square(at(m, threadIdx.x, c, 16));
    put(out, threadIdx.x, sum);
}

__device__ void addTo(float &sum, const float *p) {
    sum += *p;
}

//@ referenceToMemory<<<1, 32>>> x:float[128]=rand9 y:float[32]=zero n=4
__global__ void referenceToMemory(const float *x, float *y, int n) {
    for (int i = 0; i < n; i++)
        addTo(y[threadIdx.x], x + i * 32 + threadIdx.x);
}

//@ templateKernel<int, 4><<<1, 32>>> x:int[128]=rand9 y:int[32]=zero
template <typename T, int N>
__global__ void templateKernel(const T *x, T *y) {
    T sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += x[i * blockDim.x + threadIdx.x];
    y[threadIdx.x] = sum;
}

struct Matrix {
    float *data;
    int width;
    __device__ float &operator()(int r, int c) { return data[r * width + c]; }
};

//@ matrixObject<<<1, 8x8>>> in:float[64]=rand9 out:float[64]=zero
__global__ void matrixObject(float *in, float *out) {
    Matrix a = {in, 8}, b = {out, 8};
    b(threadIdx.x, threadIdx.y) = a(threadIdx.y, threadIdx.x);
    b(threadIdx.x, threadIdx.y) += 1;
}

//@ lambdaApply<<<1, 32>>> x:float[64]=rand9
__global__ void lambdaApply(float *x) {
    auto twice = [=](int i) { x[i] = x[i] * 2 + 1; };
    twice(threadIdx.x);
    twice(threadIdx.x + 32);
}

//@ atomicKinds<<<1, 32>>> x:int[8]={0,0,900,0,-1,0,0,5} in:int[32]=rand900
__global__ void atomicKinds(int *x, const int *in) {
    int v = in[threadIdx.x];
    atomicAdd(&x[0], v);
    atomicMax(&x[1], v);
    atomicMin(&x[2], v);
    atomicOr(&x[3], v);
    atomicAnd(&x[4], v);
    atomicXor(&x[5], v);
    atomicSub(&x[6], v);
}

//@ atomicFloatMax<<<1, 32>>> most:int[1]=zero x:float[32]=rand900
__global__ void atomicFloatMax(int *most, const float *x) {
    int old = *most, v = __float_as_int(x[threadIdx.x]);
    if (old < v)
        atomicMax(most, v);
}

//@ atomicShared<<<1, 64>>> x:int[64]=rand8 out:int[8]=zero
__global__ void atomicShared(const int *x, int *out) {
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[x[threadIdx.x]], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = bins[threadIdx.x];
}

//@ ballotCompact<<<1, 32>>> x:int[32]=sym9 out:int[32]=zero
__global__ void ballotCompact(const int *x, int *out) {
    int v = x[threadIdx.x];
    unsigned votes = __ballot_sync(0xffffffff, v > 0);
    if (v > 0)
        out[__popc(votes & ((1u << threadIdx.x) - 1))] = v;
}

//@ shuffleRotate<<<1, 64>>> x:int[64]=rand90
__global__ void shuffleRotate(int *x) {
    int v = x[threadIdx.x];
    x[threadIdx.x] = __shfl_sync(0xffffffff, v, (threadIdx.x + 5) % 32);
}

//@ vectorAddGuarded<<<3, 32>>> a:float[80]=rand9 b:float[80]=rand8 c:float[80]=zero n=80
__global__ void vectorAddGuarded(const float *a, const float *b, float *c, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

//@ copyOffset<<<1, 32>>> to:float[64]=zero from+3:float[64]=rand9
__global__ void copyOffset(float *to, const float *from) {
    to[threadIdx.x + 5] = from[threadIdx.x];
}

//@ multipleOutputs<<<1, 32>>> x:float[32]=rand900 whole:float[32]=zero part:float[32]=zero big:uchar[32]=zero
__global__ void multipleOutputs(const float *x, float *whole, float *part, unsigned char *big) {
    float v = x[threadIdx.x] * 0.25f;
    whole[threadIdx.x] = floorf(v);
    part[threadIdx.x] = v - whole[threadIdx.x];
    big[threadIdx.x] = whole[threadIdx.x] > 99 ? 1 : 0;
}

//@ rgbaPack<<<1, 32>>> r:float[32]=rand255 g:float[32]=rand200 b:float[32]=rand99 out:uchar[128](uchar4)=zero
__global__ void rgbaPack(const float *r, const float *g, const float *b, uchar4 *out) {
    int i = threadIdx.x;
    out[i].x = r[i];
    out[i].y = g[i];
    out[i].z = b[i];
    out[i].w = 255;
}

// Loops: invariant loads, unrolling, exits, trip counts.

//@ invariantLoad<<<1, 32>>> x:float[256]=rand9 scale:float[1]={3} n=8
__global__ void invariantLoad(float *x, const float *scale, int n) {
    for (int i = 0; i < n; i++)
        x[i * 32 + threadIdx.x] *= *scale;
}

//@ invariantLoadRestrict<<<1, 32>>> x:float[256]=rand9 scale:float[1]={3} n=8
__global__ void invariantLoadRestrict(float *__restrict__ x, const float *__restrict__ scale, int n) {
    for (int i = 0; i < n; i++)
        x[i * 32 + threadIdx.x] *= *scale;
}

//@ invariantBound<<<1, 32>>> x:int[256]=rand9 n:int[1]={7}
__global__ void invariantBound(int *x, const int *n) {
    for (int i = 0; i < *n; i++)
        x[i * 32 + threadIdx.x] += i;
}

//@ invariantOtherType<<<1, 32>>> x:float[256]=rand9 n:int[1]={7}
__global__ void invariantOtherType(float *x, const int *n) {
    for (int i = 0; i < *n; i++)
        x[i * 32 + threadIdx.x] += i;
}

//@ invariantRead<<<1, 32>>> x:int[32]=rand9 y:int[32]=zero limits:int[32]=mod6
__global__ void invariantRead(const int *x, int *y, const int *limits) {
    int sum = 0;
    for (int i = 0; i < limits[threadIdx.x]; i++)
        sum += x[threadIdx.x] * i;
    y[threadIdx.x] = sum;
}

//@ invariantRow<<<1, 32>>> x:float[32]=rand9 m:float[320]=rand9 y:float[32]=zero n=10
__global__ void invariantRow(const float *x, const float *m, float *y, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += m[i * 32 + threadIdx.x] * x[threadIdx.x];
    y[threadIdx.x] = sum;
}

//@ invariantNested<<<1, 16>>> a:float[64]=rand9 b:float[64]=rand9 out:float[16]=zero n=4 m=4
__global__ void invariantNested(const float *a, const float *b, float *out, int n, int m) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += a[i * 16 + threadIdx.x] * b[j * 16 + threadIdx.x];
    out[threadIdx.x] = sum;
}

//@ constantTrips<<<1, 32>>> x:float[128]=rand9 y:float[32]=zero
__global__ void constantTrips(const float *x, float *y) {
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += x[threadIdx.x * 4 + i];
    y[threadIdx.x] = sum;
}

//@ constantTripsStore<<<1, 32>>> y:int[128]=rand9
__global__ void constantTripsStore(int *y) {
    for (int i = 0; i < 4; i++)
        y[threadIdx.x * 4 + i] = threadIdx.x + i;
}

//@ unrollPragma<<<1, 32>>> x:int[512]=rand9 y:int[32]=zero n=16
__global__ void unrollPragma(const int *x, int *y, int n) {
    int sum = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++)
        sum += x[i * 32 + threadIdx.x];
    y[threadIdx.x] = sum;
}

//@ unrollNot<<<1, 32>>> x:int[512]=rand9 y:int[32]=zero
__global__ void unrollNot(const int *x, int *y) {
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 16; i++)
        sum += x[i * 32 + threadIdx.x];
    y[threadIdx.x] = sum;
}

//@ unrollByHand<<<1, 32>>> x:float[256]=rand9 y:float[256]=zero
__global__ void unrollByHand(const float *x, float *y) {
    int i = threadIdx.x * 8;
    y[i] = x[i] + 1;
    y[i + 1] = x[i + 1] + 1;
    y[i + 2] = x[i + 2] + 1;
    y[i + 3] = x[i + 3] + 1;
    y[i + 4] = x[i + 4] + 1;
    y[i + 5] = x[i + 5] + 1;
    y[i + 6] = x[i + 6] + 1;
    y[i + 7] = x[i + 7] + 1;
}

//@ copyUnrolled<<<1, 32>>> to:float[256]=zero from:float[256]=rand9
__global__ void copyUnrolled(float *__restrict__ to, const float *__restrict__ from) {
#pragma unroll
    for (int i = 0; i < 8; i++)
        to[i * 32 + threadIdx.x] = from[i * 32 + threadIdx.x];
}

//@ whileCount<<<1, 32>>> x:int[32]=rand900 steps:int[32]=zero
__global__ void whileCount(const int *x, int *steps) {
    int n = x[threadIdx.x] + 1, count = 0;
    while (n != 1 && count < 50) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    steps[threadIdx.x] = count;
}

//@ whileMemory<<<1, 32>>> x:int[32]=rand90
__global__ void whileMemory(int *x) {
    int i = threadIdx.x;
    while (x[i] > 7)
        x[i] -= 7;
}

//@ doWhile<<<1, 32>>> x:int[33]={9,8,7,6,5,4,3,2,1,9,8,7,5,6,0} y:int[32]=zero
__global__ void doWhile(const int *x, int *y) {
    int at = threadIdx.x % 14, sum = 0;
    do {
        sum += x[at];
        at++;
    } while (x[at]);
    y[threadIdx.x] = sum;
}

//@ earlyReturn<<<2, 32>>> x:float[64]=sym9 y:float[64]=zero n=50
__global__ void earlyReturn(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (v < 0)
        return;
    y[i] = sqrtf(v);
}

//@ breakSearch<<<1, 32>>> x:int[64]=rand30 where:int[32]=zero n=64
__global__ void breakSearch(const int *x, int *where, int n) {
    int i;
    for (i = 0; i < n; i++)
        if (x[i] == threadIdx.x)
            break;
    where[threadIdx.x] = i;
}

//@ continueSum<<<1, 32>>> x:int[256]=sym9 y:int[32]=zero n=8
__global__ void continueSum(const int *x, int *y, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (x[i * 32 + threadIdx.x] < 0)
            continue;
        sum += x[i * 32 + threadIdx.x];
    }
    y[threadIdx.x] = sum;
}

//@ downwards<<<1, 32>>> x:int[256]=rand9 n=8
__global__ void downwards(int *x, int n) {
    for (int i = n - 1; i > 0; i--)
        x[i * 32 + threadIdx.x] = x[(i - 1) * 32 + threadIdx.x];
}

//@ recurrence<<<1, 32>>> x:float[256]=rand9 n=8
__global__ void recurrence(float *x, int n) {
    for (int i = 2; i < n; i++)
        x[i * 32 + threadIdx.x] = 0.5f * (x[(i - 1) * 32 + threadIdx.x] + x[(i - 2) * 32 + threadIdx.x]);
}

//@ slidingSum<<<1, 16>>> x:float[192]=rand9 y:float[192]=zero n=12
__global__ void slidingSum(const float *x, float *y, int n) {
    const float *row = x + threadIdx.x * n;
    for (int i = 1; i < n - 1; i++)
        y[threadIdx.x * n + i] = row[i - 1] + row[i] + row[i + 1];
}

//@ switchCases<<<1, 32>>> op:int[32]=mod5 x:int[32]=rand90 y:int[32]=rand80
__global__ void switchCases(const int *op, const int *x, int *y) {
    int i = threadIdx.x;
    switch (op[i]) {
    case 0: y[i] += x[i]; break;
    case 1: y[i] -= x[i]; break;
    case 2: y[i] *= x[i]; break;
    case 3: y[i] = x[i]; break;
    default: break;
    }
}

//@ bothBranches<<<1, 32>>> x:int[32]=rand90 y:int[32]=zero
__global__ void bothBranches(const int *x, int *y) {
    int i = threadIdx.x;
    if (i % 2)
        y[i] = x[i] * 3;
    else
        y[i] = x[i] + 7;
}

//@ ternaryLoads<<<1, 32>>> a:float[32]=rand90 b:float[32]=rand80 y:float[32]=zero
__global__ void ternaryLoads(const float *a, const float *b, float *y) {
    int i = threadIdx.x;
    y[i] = i % 3 == 0 ? a[i] : b[i];
}

//@ shortCircuit<<<1, 32>>> a:int[32]=mod2 b:int[32]=mod3 y:int[32]=zero
__global__ void shortCircuit(const int *a, const int *b, int *y) {
    int i = threadIdx.x;
    if (a[i] && b[i] == 1)
        y[i] = 1;
}

//@ gridStride2d<<<2x2, 8x2>>> in:float[256]=rand9 out:float[256]=zero w=16 h=16
__global__ void gridStride2d(const float *in, float *out, int w, int h) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += blockDim.y * gridDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += blockDim.x * gridDim.x)
            out[y * w + x] = 2.0f * in[y * w + x];
}

//@ triangularNest<<<1, 16>>> m:int[256]=rand9 sums:int[16]=zero n=16
__global__ void triangularNest(const int *m, int *sums, int n) {
    int sum = 0;
    for (int j = 0; j <= threadIdx.x; j++)
        sum += m[threadIdx.x * n + j];
    sums[threadIdx.x] = sum;
}

//@ floydRow<<<1, 16x16>>> d:int[256]=rand90 k=5 n=16
__global__ void floydRow(int *d, int k, int n) {
    int i = threadIdx.y, j = threadIdx.x;
    if (i == k || j == k)
        return;
    if (d[i * n + k] + d[k * n + j] < d[i * n + j])
        d[i * n + j] = d[i * n + k] + d[k * n + j];
}

//@ knapsackRow<<<1, 32>>> before:int[40]=ramp2 after:int[40]=zero weight=5 value=13
__global__ void knapsackRow(const int *before, int *after, int weight, int value) {
    int w = threadIdx.x;
    if (w >= weight && before[w - weight] + value > before[w])
        after[w] = before[w - weight] + value;
    else
        after[w] = before[w];
}

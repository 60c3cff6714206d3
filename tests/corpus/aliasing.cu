// What may alias, what was just stored, volatile, read-only loads.

//@ aliasPair<<<1, 32>>> a:int[32]=rand9 b:int[32]=rand8 c:int[32]=zero
__global__ void aliasPair(int *a, int *b, int *c) {
    int i = threadIdx.x;
    a[i] = b[i] + 1;
    c[i] = b[i] + 2;
}

//@ aliasPairRestrict<<<1, 32>>> a:int[32]=rand9 b:int[32]=rand8 c:int[32]=zero
__global__ void aliasPairRestrict(int *__restrict__ a, int *__restrict__ b, int *__restrict__ c) {
    int i = threadIdx.x;
    a[i] = b[i] + 1;
    c[i] = b[i] + 2;
}

//@ aliasTypes<<<1, 32>>> a:float[32]=rand9 b:int[32]=rand8 c:int[32]=zero
__global__ void aliasTypes(float *a, int *b, int *c) {
    int i = threadIdx.x;
    c[i] = b[i];
    a[i] = 1.5f;
    c[i] += b[i];
}

//@ aliasReally<<<1, 32>>> a:int[64]=rand9 n=5
__global__ void aliasReally(int *a, int n) {
    int *b = a + n;
    int i = threadIdx.x;
    int before = b[i];
    a[i] = before + 1;
    __syncthreads();
    b[i] += a[i];
}

//@ readBack<<<1, 32>>> x:float[32]=rand9 y:float[32]=zero z:float[32]=zero
__global__ void readBack(const float *x, float *y, float *z) {
    int i = threadIdx.x;
    y[i] = x[i] * 2;
    z[i] = y[i] + 1;
}

//@ readBackTwice<<<1, 32>>> y:int[32]=rand9
__global__ void readBackTwice(int *y) {
    int i = threadIdx.x;
    y[i] = y[i] + 1;
    y[i] = y[i] * 3;
    y[i] = y[i] - 2;
}

//@ readBackOther<<<1, 32>>> y:int[64]=rand9 z:int[32]=zero
__global__ void readBackOther(int *y, int *z) {
    int i = threadIdx.x;
    y[i] = i;
    y[i + 32] = 2 * i;
    z[i] = y[i] + y[i + 32];
}

//@ storeTwice<<<1, 32>>> y:int[32]=rand9 x:int[32]=rand5
__global__ void storeTwice(int *y, const int *x) {
    int i = threadIdx.x;
    y[i] = 0;
    if (x[i] > 2)
        y[i] = x[i];
}

//@ storeDead<<<1, 32>>> y:int[32]=rand9
__global__ void storeDead(int *y) {
    y[threadIdx.x] = 1;
    y[threadIdx.x] = threadIdx.x;
}

//@ storeSame<<<1, 32>>> y:int[32]=rand9
__global__ void storeSame(int *y) {
    int v = y[threadIdx.x];
    y[threadIdx.x] = v;
}

//@ loadUnused<<<1, 32>>> x:int[32]=rand9 y:int[32]=zero
__global__ void loadUnused(const int *x, int *y) {
    int v = x[threadIdx.x];
    y[threadIdx.x] = v - v + 4;
}

//@ loadTwice<<<1, 32>>> x:int[32]=rand9 y:int[32]=zero
__global__ void loadTwice(const int *x, int *y) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

//@ loadAfterBarrier<<<1, 32>>> x:int[32]=rand9 y:int[32]=zero
__global__ void loadAfterBarrier(int *x, int *y) {
    int before = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = before + x[threadIdx.x];
}

//@ loadConstAfterBarrier<<<1, 32>>> x:int[32]=rand9 y:int[32]=zero
__global__ void loadConstAfterBarrier(const int *__restrict__ x, int *__restrict__ y) {
    int before = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = before + x[threadIdx.x];
}

//@ fenceBetween<<<1, 32>>> x:int[32]=rand9
__global__ void fenceBetween(int *x) {
    x[threadIdx.x] += 1;
    __threadfence();
    x[threadIdx.x] += 2;
}

//@ volatilePointer<<<1, 32>>> x:int[32]=rand9 y:int[32]=zero
__global__ void volatilePointer(volatile int *x, int *y) {
    y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x];
    x[threadIdx.x] = 1;
    x[threadIdx.x] = 2;
}

//@ volatileLoop<<<1, 32>>> x:float[32]=rand9 y:float[32]=zero n=4
__global__ void volatileLoop(volatile float *x, float *y, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[threadIdx.x];
    y[threadIdx.x] = sum;
}

//@ ldgLoop<<<1, 32>>> x:float[256]=rand9 y:float[32]=zero n=8
__global__ void ldgLoop(const float *x, float *y, int n) {
    for (int i = 0; i < n; i++)
        y[threadIdx.x] += __ldg(&x[i * 32 + threadIdx.x]);
}

//@ ldgInvariant<<<1, 32>>> x:float[4]=rand9 y:float[128]=mod5
__global__ void ldgInvariant(const float *x, float *y) {
    for (int i = 0; i < 4; i++)
        y[i * 32 + threadIdx.x] *= __ldg(x) + __ldg(x + 1);
}

//@ ldgVector<<<1, 32>>> x:float[128](float4)=rand9 y:float[32]=zero
__global__ void ldgVector(const float4 *x, float *y) {
    float4 v = __ldg(&x[threadIdx.x]);
    y[threadIdx.x] = v.x - v.y + v.z - v.w;
}

__constant__ float coefficients[16];
__constant__ int offsets[4];
__device__ int counter;
__device__ float deviceTable[32];

//@ constantPolynomial<<<1, 32>>> x:float[32]=mod3 y:float[32]=zero n=6 @coefficients:float[16]=mod5
__global__ void constantPolynomial(const float *x, float *y, int n) {
    float sum = 0;
    for (int i = n - 1; i >= 0; i--)
        sum = sum * x[threadIdx.x] + coefficients[i];
    y[threadIdx.x] = sum;
}

//@ constantScaled<<<1, 32>>> x:float[256]=mod3 n=8 @coefficients:float[16]=mod5
__global__ void constantScaled(float *x, int n) {
    for (int i = 0; i < n; i++)
        x[i * 32 + threadIdx.x] *= coefficients[3];
}

//@ constantByData<<<1, 32>>> x:int[64]=rand9 y:int[32]=zero @offsets:int[4]={0,3,7,20}
__global__ void constantByData(const int *x, int *y) {
    y[threadIdx.x] = x[threadIdx.x + offsets[threadIdx.x % 4]];
}

//@ deviceCounter<<<2, 32>>> x:int[64]=sym9 @counter:int[1]=zero
__global__ void deviceCounter(const int *x) {
    if (x[blockIdx.x * 32 + threadIdx.x] > 0)
        atomicAdd(&counter, 1);
}

//@ deviceArray<<<1, 32>>> x:float[32]=sym9 @deviceTable:float[32]=mod7
__global__ void deviceArray(float *x) {
    x[threadIdx.x] += deviceTable[31 - threadIdx.x];
    deviceTable[threadIdx.x] = 0;
}

//@ swapPointers<<<1, 32>>> a:float[32]=rand9 b:float[32]=rand8 n=3
__global__ void swapPointers(float *a, float *b, int n) {
    for (int i = 0; i < n; i++) {
        b[threadIdx.x] = a[threadIdx.x] * 0.5f + 1;
        float *t = a;
        a = b;
        b = t;
    }
}

//@ pointerOfPointers<<<1, 32>>> a:int[96]=rand9 first=2 y:int[32]=zero
__global__ void pointerOfPointers(int *a, int first, int *y) {
    int *rows[3] = {a, a + 32, a + 64};
    y[threadIdx.x] = rows[first][threadIdx.x] + rows[0][threadIdx.x];
}

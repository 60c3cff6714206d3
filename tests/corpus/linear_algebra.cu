// Matrix and vector products, as benchmarks write them.

//@ gemmNaive<<<2x2, 8x8>>> a:float[256]=rand10 b:float[256]=rand10 c:float[256]=zero n=16
__global__ void gemmNaive(float *a, float *b, float *c, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

#define NI 16
#define NJ 16
#define NK 16

//@ gemmPolybench<<<1x2, 16x8>>> a:float[256]=rand10 b:float[256]=rand10 c:float[256]=rand10 alpha=2.0f beta=3.0f
__global__ void gemmPolybench(float *a, float *b, float *c, float alpha, float beta) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < NI) && (j < NJ)) {
        c[i * NJ + j] *= beta;
        int k;
        for (k = 0; k < NK; k++) {
            c[i * NJ + j] += alpha * a[i * NK + k] * b[k * NJ + j];
        }
    }
}

//@ mm2First<<<1x2, 16x8>>> a:float[256]=rand10 b:float[256]=rand10 tmp:float[256]=zero alpha=2.0f
__global__ void mm2First(float *a, float *b, float *tmp, float alpha) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < NI && j < NJ) {
        tmp[i * NJ + j] = 0;
        for (int k = 0; k < NK; k++)
            tmp[i * NJ + j] += alpha * a[i * NK + k] * b[k * NJ + j];
    }
}

//@ ataxFirst<<<1, 32>>> a:float[512]=rand10 x:float[16]=mod5 tmp:float[32]=zero nx=30 ny=16
__global__ void ataxFirst(float *a, float *x, float *tmp, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        for (int j = 0; j < ny; j++)
            tmp[i] += a[i * ny + j] * x[j];
    }
}

//@ ataxSecond<<<1, 32>>> a:float[512]=rand10 y:float[32]=zero tmp:float[16]=mod4 nx=16 ny=30
__global__ void ataxSecond(float *a, float *y, float *tmp, int nx, int ny) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        for (int i = 0; i < nx; i++)
            y[j] += a[i * ny + j] * tmp[i];
    }
}

//@ bicgFirst<<<1, 32>>> a:float[384]=rand10 r:float[12]=mod5 s:float[32]=mod3 nx=12 ny=32
__global__ void bicgFirst(float *a, float *r, float *s, int nx, int ny) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        s[j] = 0.0f;
        for (int i = 0; i < nx; i++)
            s[j] += a[i * ny + j] * r[i];
    }
}

//@ mvtFirst<<<1, 24>>> a:float[576]=rand10 x1:float[24]=mod5 y1:float[24]=mod3 n=24
__global__ void mvtFirst(const float *a, float *x1, const float *y1, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++)
            x1[i] += a[i * n + j] * y1[j];
}

//@ syrk<<<2x2, 8x8>>> a:float[256]=rand10 c:float[256]=rand10 alpha=2.0f beta=3.0f n=16 m=16
__global__ void syrk(float *a, float *c, float alpha, float beta, int n, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < n) && (j < n)) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
    }
}

//@ syr2k<<<2x2, 8x8>>> a:float[256]=rand10 b:float[256]=rand10 c:float[256]=rand10 alpha=2.0f beta=3.0f
__global__ void syr2k(float *a, float *b, float *c, float alpha, float beta) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    c[i * NI + j] *= beta;
    for (int k = 0; k < NJ; k++)
        c[i * NI + j] += alpha * a[i * NI + k] * b[j * NI + k] + alpha * b[i * NI + k] * a[j * NI + k];
}

//@ gesummv<<<1, 32>>> a:float[512]=rand10 b:float[512]=rand10 x:float[16]=mod3 tmp:float[32]=zero y:float[32]=zero n=16
__global__ void gesummv(float *a, float *b, float *x, float *tmp, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) {
        tmp[i] += a[i * n + j] * x[j];
        y[i] += b[i * n + j] * x[j];
    }
    y[i] = 2.0f * tmp[i] + 3.0f * y[i];
}

//@ gemverOuter<<<2x2, 8x8>>> a:float[256]=rand10 u1:float[16]=mod3 v1:float[16]=mod5 u2:float[16]=mod7 v2:float[16]=mod2 n=16
__global__ void gemverOuter(float *a, const float *u1, const float *v1, const float *u2, const float *v2, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

//@ gemverProduct<<<1, 16>>> a:float[256]=rand10 x:float[16]=zero y:float[16]=mod3 z:float[16]=mod4 n=16
__global__ void gemverProduct(float *__restrict__ a, float *__restrict__ x, float *__restrict__ y,
                              float *__restrict__ z, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; j++)
        x[i] += 1.5f * a[j * n + i] * y[j];
    x[i] += z[i];
}

#define TILE 8

//@ gemmTiled<<<2x2, 8x8>>> a:float[256]=rand10 b:float[256]=rand10 c:float[256]=zero n=16
__global__ void gemmTiled(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < n / TILE; t++) {
        as[y][x] = a[row * n + t * TILE + x];
        bs[y][x] = b[(t * TILE + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

//@ gemmTiledTransposed<<<2x2, 8x8>>> a:float[256]=rand10 b:float[256]=rand10 c:float[256]=zero n=16
__global__ void gemmTiledTransposed(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE][TILE + 1], bs[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[x][y] = a[row * n + t + x];
        bs[x][y] = b[(t + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += as[k][y] * bs[x][k];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

//@ gemmRegisterBlock<<<2x1, 8x8>>> a:float[256]=rand10 b:float[256]=rand10 c:float[256]=zero n=16
__global__ void gemmRegisterBlock(const float *a, const float *b, float *c, int n) {
    __shared__ float as[16][8], bs[8][8];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8 + x;
    float sum[2] = {0, 0};
    for (int t = 0; t < n; t += 8) {
        as[y][x] = a[y * n + t + x];
        as[y + 8][x] = a[(y + 8) * n + t + x];
        bs[y][x] = b[(t + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++)
#pragma unroll
            for (int r = 0; r < 2; r++)
                sum[r] += as[y + 8 * r][k] * bs[k][x];
        __syncthreads();
    }
    c[y * n + column] = sum[0];
    c[(y + 8) * n + column] = sum[1];
}

//@ gemmMicroTile<<<1, 4x4>>> a:float[128]=rand10 b:float[128]=rand10 c:float[256]=zero
__global__ void gemmMicroTile(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
    __shared__ float as[8][16], bs[8][16];
    int t = threadIdx.y * 4 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        as[k][t] = a[k * 16 + t];
        bs[k][t] = b[k * 16 + t];
    }
    __syncthreads();
    float sum[4][4] = {}, ra[4], rb[4];
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 4; i++) {
            ra[i] = as[k][threadIdx.y * 4 + i];
            rb[i] = bs[k][threadIdx.x * 4 + i];
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                sum[i][j] += ra[i] * rb[j];
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(threadIdx.y * 4 + i) * 16 + threadIdx.x * 4 + j] = sum[i][j];
}

//@ dotGrid<<<2, 64>>> a:float[512]=rand10 b:float[512]=rand10 part:float[2]=zero n=500
__global__ void dotGrid(const float *a, const float *b, float *part, int n) {
    __shared__ float cache[64];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (threadIdx.x < i)
            cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        part[blockIdx.x] = cache[0];
}

//@ saxpy<<<2, 64>>> y:float[128]=mod7 x:float[128]=rand9 a=2.0f n=120
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

//@ daxpyStride<<<1, 64>>> y:double[256]=mod7 x:double[256]=rand9 a=2.0 n=250
__global__ void daxpyStride(double *y, const double *x, double a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] += a * x[i];
}

//@ choleskyColumn<<<1, 16>>> a:float[256]=rand50 k=3 n=16
__global__ void choleskyColumn(float *a, int k, int n) {
    int i = threadIdx.x;
    if (i > k && i < n) {
        a[i * n + k] /= 1.0f + a[k * n + k];
        for (int j = k + 1; j <= i; j++)
            a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

//@ luEliminate<<<1, 16x8>>> a:float[256]=rand50 k=2 n=16
__global__ void luEliminate(float *a, int k, int n) {
    int i = threadIdx.y + k + 1, j = threadIdx.x;
    if (i < n && j > k)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

//@ triangularSolve<<<1, 8>>> l:float[64]=rand4 x:float[64]=rand40 n=8
__global__ void triangularSolve(const float *l, float *x, int n) {
    int c = threadIdx.x;
    for (int i = 0; i < n; i++) {
        float sum = x[i * n + c];
        for (int j = 0; j < i; j++)
            sum -= l[i * n + j] * x[j * n + c] * 0.01f;
        x[i * n + c] = sum / (1.0f + l[i * n + i]);
    }
}

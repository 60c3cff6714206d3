// Stencils and image filters.

//@ stencil1d<<<2, 64>>> in:float[130]=rand50 out:float[130]=zero n=130
__global__ void stencil1d(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n - 1)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

//@ stencil1dShared<<<2, 32>>> in:int[72]=rand50 out:int[64]=zero
__global__ void stencil1dShared(const int *in, int *out) {
    __shared__ int temp[32 + 2 * 4];
    int g = blockIdx.x * blockDim.x + threadIdx.x + 4, l = threadIdx.x + 4;
    temp[l] = in[g];
    if (threadIdx.x < 4) {
        temp[l - 4] = in[g - 4];
        temp[l + 32] = in[g + 32];
    }
    __syncthreads();
    int result = 0;
    for (int offset = -4; offset <= 4; offset++)
        result += temp[l + offset];
    out[g - 4] = result;
}

//@ jacobi2d<<<2x2, 8x8>>> a:float[324]=rand50 b:float[324]=zero n=18
__global__ void jacobi2d(float *a, float *b, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i > 0) && (i < n - 1) && (j > 0) && (j < n - 1))
        b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + (j - 1)] + a[i * n + (1 + j)] + a[(1 + i) * n + j] +
                               a[(i - 1) * n + j]);
}

//@ fdtdStepE<<<1, 16x8>>> ex:float[144]=rand20 hz:float[144]=rand20 nx=8 ny=16
__global__ void fdtdStepE(float *ex, float *hz, int nx, int ny) {
    int j = threadIdx.x, i = threadIdx.y;
    if (i < nx && j < ny && j > 0)
        ex[i * (ny + 1) + j] = ex[i * (ny + 1) + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]);
}

//@ fdtdStepH<<<1, 16x8>>> ex:float[160]=rand20 ey:float[160]=rand20 hz:float[144]=rand20 nx=8 ny=16
__global__ void fdtdStepH(float *ex, float *ey, float *hz, int nx, int ny) {
    int j = threadIdx.x, i = threadIdx.y;
    if ((i < nx) && (j < ny))
        hz[i * ny + j] -= 0.7f * (ex[i * (ny + 1) + (j + 1)] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] -
                                 ey[i * ny + j]);
}

//@ heat3d<<<1x1x4, 8x8>>> in:float[384]=rand20 out:float[384]=zero nx=8 ny=8 nz=6
__global__ void heat3d(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.z + 1;
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
        return;
    int c = (z * ny + y) * nx + x;
    out[c] = in[c] + 0.1f * (in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + in[c - nx * ny] + in[c + nx * ny] -
                             6.0f * in[c]);
}

//@ stencilColumns<<<1, 8x8>>> in:float[512]=rand20 out:float[512]=zero nz=8
__global__ void stencilColumns(const float *in, float *out, int nz) {
    int i = threadIdx.y * 8 + threadIdx.x;
    float below = in[i], now = in[i + 64];
    for (int z = 1; z < nz - 1; z++) {
        float above = in[i + (z + 1) * 64];
        out[i + z * 64] = below + above - 2.0f * now;
        below = now;
        now = above;
    }
}

//@ conv2dPolybench<<<1, 16x8>>> a:float[128]=rand20 b:float[128]=zero ni=8 nj=16
__global__ void conv2dPolybench(float *a, float *b, int ni, int nj) {
    int j = threadIdx.x, i = threadIdx.y;
    float c11 = 0.2f, c21 = 0.5f, c31 = -0.8f, c12 = -0.3f, c22 = 0.6f, c32 = -0.9f, c13 = 0.4f, c23 = 0.7f, c33 = 0.1f;
    if (i < ni - 1 && j < nj - 1 && i > 0 && j > 0) {
        b[i * nj + j] = c11 * a[(i - 1) * nj + (j - 1)] + c21 * a[(i - 1) * nj + j] + c31 * a[(i - 1) * nj + (j + 1)] +
                        c12 * a[i * nj + (j - 1)] + c22 * a[i * nj + j] + c32 * a[i * nj + (j + 1)] +
                        c13 * a[(i + 1) * nj + (j - 1)] + c23 * a[(i + 1) * nj + j] + c33 * a[(i + 1) * nj + (j + 1)];
    }
}

__constant__ float mask[9];

//@ convolutionConstant<<<1, 16x8>>> in:float[128]=rand20 out:float[128]=zero w=16 h=8 @mask:float[9]=mod4
__global__ void convolutionConstant(const float *in, float *out, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h)
                sum += in[yy * w + xx] * mask[(dy + 1) * 3 + dx + 1];
        }
    out[y * w + x] = sum;
}

//@ convolutionRow<<<1, 64>>> in:float[80]=rand20 out:float[64]=zero kernel:float[17]=mod3 radius=8
__global__ void convolutionRow(const float *in, float *out, const float *kernel, int radius) {
    int i = threadIdx.x;
    float sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += in[i + radius + k] * kernel[radius - k];
    out[i] = sum;
}

//@ blurRgb<<<1, 8x8>>> in:uchar[192]=rand256 out:uchar[192]=zero w=8 h=8
__global__ void blurRgb(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y;
    for (int c = 0; c < 3; c++) {
        int sum = 0, count = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h) {
                    sum += in[3 * ((y + dy) * w + x + dx) + c];
                    count++;
                }
        out[3 * (y * w + x) + c] = sum / count;
    }
}

//@ grayOfRgb<<<2, 32>>> rgb:uchar[192]=rand256 gray:uchar[64]=zero
__global__ void grayOfRgb(const unsigned char *rgb, unsigned char *gray) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = 0.21f * r + 0.71f * g + 0.07f * b;
}

//@ grayOfRgba<<<2, 32>>> rgba:uchar[256](uchar4)=rand256 gray:uchar[64]=zero
__global__ void grayOfRgba(const uchar4 *rgba, unsigned char *gray) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 p = rgba[i];
    gray[i] = (p.x * 77 + p.y * 151 + p.z * 28) >> 8;
}

//@ sobel<<<1, 16x8>>> in:uchar[128]=rand256 out:uchar[128]=zero w=16 h=8
__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        int gx = in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1] - in[(y - 1) * w + x - 1] -
                 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1];
        int gy = in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1] -
                 in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1];
        int sum = abs(gx) + abs(gy);
        out[y * w + x] = sum > 255 ? 255 : sum;
    }
}

//@ median3<<<2, 32>>> in:int[66]=rand99 out:int[66]=zero
__global__ void median3(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int a = in[i - 1], b = in[i], c = in[i + 1];
    out[i] = max(min(a, b), min(max(a, b), c));
}

//@ median9Local<<<1, 8x4>>> in:int[60]=rand99 out:int[60]=zero w=10
__global__ void median9Local(const int *in, int *out, int w) {
    int x = threadIdx.x + 1, y = threadIdx.y + 1, window[9], n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            window[n++] = in[(y + dy) * w + x + dx];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (window[j] < window[i]) {
                int t = window[i];
                window[i] = window[j];
                window[j] = t;
            }
    out[y * w + x] = window[4];
}

//@ bilinear<<<1, 8x8>>> in:float[256]=rand50 out:float[64]=zero w=16 scale=1.75f
__global__ void bilinear(const float *in, float *out, int w, float scale) {
    float fx = threadIdx.x * scale, fy = threadIdx.y * scale;
    int x = fx, y = fy;
    float a = fx - x, b = fy - y;
    const float *p = in + y * w + x;
    out[threadIdx.y * 8 + threadIdx.x] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[w] + a * p[w + 1]);
}

//@ lifeStep<<<2, 32>>> in:uchar[256]=mod2 out:uchar[256]=zero w=16
__global__ void lifeStep(const unsigned char *in, unsigned char *out, unsigned w) {
    for (unsigned cell = blockIdx.x * blockDim.x + threadIdx.x; cell < 256; cell += blockDim.x * gridDim.x) {
        unsigned x = cell % w, y = cell - x;
        unsigned left = (x + w - 1) % w, right = (x + 1) % w, up = (y + 256 - w) % 256, down = (y + w) % 256;
        unsigned alive = in[left + up] + in[x + up] + in[right + up] + in[left + y] + in[right + y] + in[left + down] +
                         in[x + down] + in[right + down];
        out[x + y] = alive == 3 || (alive == 2 && in[x + y]) ? 1 : 0;
    }
}

//@ hotspot<<<1, 8x8>>> temp:float[64]=rand99 power:float[64]=rand9 out:float[64]=zero steps=3
__global__ void hotspot(const float *temp, const float *power, float *out, int steps) {
    __shared__ float now[8][8], then[8][8], heat[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    now[y][x] = temp[y * 8 + x];
    heat[y][x] = power[y * 8 + x];
    __syncthreads();
    int n = y > 0 ? y - 1 : 0, s = y < 7 ? y + 1 : 7, w = x > 0 ? x - 1 : 0, e = x < 7 ? x + 1 : 7;
    for (int i = 0; i < steps; i++) {
        then[y][x] = now[y][x] + 0.1f * (heat[y][x] + (now[s][x] + now[n][x] - 2.0f * now[y][x]) * 0.2f +
                                         (now[y][e] + now[y][w] - 2.0f * now[y][x]) * 0.3f);
        __syncthreads();
        now[y][x] = then[y][x];
        __syncthreads();
    }
    out[y * 8 + x] = now[y][x];
}

//@ erode<<<1, 32>>> in:short[34]=rand500 out:short[32]=zero
__global__ void erode(const short *in, short *out) {
    int i = threadIdx.x;
    short least = in[i];
    if (in[i + 1] < least)
        least = in[i + 1];
    if (in[i + 2] < least)
        least = in[i + 2];
    out[i] = least;
}

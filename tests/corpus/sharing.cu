// Shared memory: tiles, transposes, neighbours, sorting.

#define SIDE 16

//@ transposeNaive<<<1, 16x16>>> in:float[256]=ramp out:float[256]=zero
__global__ void transposeNaive(const float *in, float *out) {
    out[threadIdx.x * SIDE + threadIdx.y] = in[threadIdx.y * SIDE + threadIdx.x];
}

//@ transposeTile<<<2x2, 16x4>>> in:float[1024]=ramp out:float[1024]=zero
__global__ void transposeTile(const float *in, float *out) {
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y, w = gridDim.x * SIDE;
    for (int j = 0; j < SIDE; j += 4)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += 4)
        out[(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}

//@ transposeInPlace<<<1, 16x16>>> m:int[256]=ramp
__global__ void transposeInPlace(int *m) {
    __shared__ int tile[SIDE * SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y * SIDE + x] = m[y * SIDE + x];
    __syncthreads();
    m[y * SIDE + x] = tile[x * SIDE + y];
}

//@ reverseShared<<<1, 64, 256>>> d:int[64]=ramp n=64
__global__ void reverseShared(int *d, int n) {
    extern __shared__ int dynamicWords[];
    int t = threadIdx.x;
    dynamicWords[t] = d[t];
    __syncthreads();
    d[t] = dynamicWords[n - t - 1];
}

//@ neighboursShared<<<1, 32>>> in:float[128]=rand40 out:float[32]=zero
__global__ void neighboursShared(const float *in, float *out) {
    __shared__ float s[128];
    for (int i = threadIdx.x; i < 128; i += 32)
        s[i] = in[i];
    __syncthreads();
    int t = threadIdx.x * 4;
    out[threadIdx.x] = s[t] + s[t + 1] * s[t + 2] - s[t + 3];
}

//@ rowSums<<<1, 32>>> in:float[512]=rand40 out:float[32]=zero
__global__ void rowSums(const float *in, float *out) {
    __shared__ float rows[32][16];
    for (int r = 0; r < 16; r++)
        rows[r * 2 + threadIdx.x / 16][threadIdx.x % 16] = in[r * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int c = 0; c < 16; c++)
        sum += rows[threadIdx.x][c];
    out[threadIdx.x] = sum;
}

//@ columnSums<<<1, 32>>> in:float[512]=rand40 out:float[32]=zero
__global__ void columnSums(const float *in, float *out) {
    __shared__ float rows[16][32];
    for (int r = 0; r < 16; r++)
        rows[r][threadIdx.x] = in[r * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int r = 0; r < 16; r++)
        sum += rows[r][31 - threadIdx.x];
    out[threadIdx.x] = sum;
}

//@ broadcastShared<<<1, 64>>> x:float[64]=rand40 y:float[64]=zero
__global__ void broadcastShared(const float *x, float *y) {
    __shared__ float first;
    if (threadIdx.x == 0)
        first = x[0];
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x] - first;
}

//@ sharedReadBack<<<1, 32>>> x:int[32]=rand40 y:int[32]=zero
__global__ void sharedReadBack(const int *x, int *y) {
    __shared__ int s[32];
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[threadIdx.x] * 2;
    __syncthreads();
    y[threadIdx.x] += s[threadIdx.x ^ 1];
}

//@ bitonicShared<<<1, 32>>> data:int[64]=rand1000
__global__ void bitonicShared(int *data) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    s[t + 32] = data[t + 32];
    for (unsigned k = 2; k <= 64; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            unsigned i = 2 * t - (t & (j - 1));
            bool up = (i & k) == 0;
            if ((s[i] > s[i + j]) == up) {
                int swap = s[i];
                s[i] = s[i + j];
                s[i + j] = swap;
            }
        }
    __syncthreads();
    data[t] = s[t];
    data[t + 32] = s[t + 32];
}

//@ bitonicStep<<<2, 32>>> data:float[64]=rand1000 j=4 k=8
__global__ void bitonicStep(float *data, int j, int k) {
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
    if (other > i) {
        if ((i & k) == 0) {
            if (data[i] > data[other]) {
                float temp = data[i];
                data[i] = data[other];
                data[other] = temp;
            }
        }
        if ((i & k) != 0) {
            if (data[i] < data[other]) {
                float temp = data[i];
                data[i] = data[other];
                data[other] = temp;
            }
        }
    }
}

//@ oddEvenSort<<<1, 16>>> data:int[32]=rand1000 n=32
__global__ void oddEvenSort(int *data, int n) {
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * threadIdx.x + (phase & 1);
        if (i + 1 < n && data[i] > data[i + 1]) {
            int t = data[i];
            data[i] = data[i + 1];
            data[i + 1] = t;
        }
        __syncthreads();
    }
}

//@ insertionSort<<<1, 32>>> data:int[256]=rand1000 n=8
__global__ void insertionSort(int *data, int n) {
    int *mine = data + threadIdx.x * n;
    for (int i = 1; i < n; i++) {
        int key = mine[i], j = i - 1;
        while (j >= 0 && mine[j] > key) {
            mine[j + 1] = mine[j];
            j--;
        }
        mine[j + 1] = key;
    }
}

//@ bubbleShared<<<1, 16>>> data:int[128]=rand1000
__global__ void bubbleShared(int *data) {
    __shared__ int s[16][8];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++)
        s[t][i] = data[i * 16 + t];
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7 - i; j++)
            if (s[t][j] > s[t][j + 1]) {
                int swap = s[t][j];
                s[t][j] = s[t][j + 1];
                s[t][j + 1] = swap;
            }
    for (int i = 0; i < 8; i++)
        data[i * 16 + t] = s[t][i];
}

//@ rankSort<<<1, 32>>> in:int[32]=rand1000 out:int[32]=zero
__global__ void rankSort(const int *in, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x, rank = 0;
    s[t] = in[t];
    __syncthreads();
    for (int i = 0; i < 32; i++)
        if (s[i] < s[t] || (s[i] == s[t] && i < t))
            rank++;
    out[rank] = s[t];
}

//@ mergePath<<<1, 16>>> a:int[32]=ramp3 b:int[32]=ramp5 out:int[64]=zero n=32
__global__ void mergePath(const int *a, const int *b, int *out, int n) {
    int diagonal = threadIdx.x * 4, low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < 4; k++)
        out[diagonal + k] = j >= n || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

//@ doubleBuffer<<<1, 32>>> in:float[256]=rand40 out:float[32]=zero tiles=8
__global__ void doubleBuffer(const float *in, float *out, int tiles) {
    __shared__ float buffer[2][32];
    int t = threadIdx.x, now = 0;
    float sum = 0;
    buffer[0][t] = in[t];
    __syncthreads();
    for (int i = 0; i < tiles; i++) {
        if (i + 1 < tiles)
            buffer[now ^ 1][t] = in[(i + 1) * 32 + t];
        sum += buffer[now][t] + buffer[now][31 - t];
        now ^= 1;
        __syncthreads();
    }
    out[t] = sum;
}

//@ sharedFloat4<<<1, 32>>> in:float[128](float4)=rand40 out:float[32]=zero
__global__ void sharedFloat4(const float4 *in, float *out) {
    __shared__ float4 s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float4 v = s[threadIdx.x ^ 3];
    out[threadIdx.x] = v.x + v.w;
}

//@ sharedDouble<<<1, 32>>> in:double[32]=rand40 out:double[32]=zero
__global__ void sharedDouble(const double *in, double *out) {
    __shared__ double s[34];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    if (t == 0)
        s[0] = s[33] = 0;
    __syncthreads();
    out[t] = s[t] + s[t + 1] + s[t + 2];
}

//@ tableLookup<<<1, 64>>> in:uchar[64]=rand256 table:uint[256]=rand9999 out:uint[64]=zero
__global__ void tableLookup(const unsigned char *in, const unsigned *table, unsigned *out) {
    __shared__ unsigned local[256];
    for (int i = 0; i < 256; i += 64)
        local[threadIdx.x + i] = table[threadIdx.x + i];
    __syncthreads();
    out[threadIdx.x] = local[in[threadIdx.x]];
}

// Reductions, scans, histograms.

//@ reduceInterleaved<<<2, 64>>> in:int[128]=rand100 out:int[2]=zero
__global__ void reduceInterleaved(const int *in, int *out) {
    __shared__ int data[64];
    unsigned t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)
            data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}

//@ reduceStrided<<<2, 64>>> in:int[128]=rand100 out:int[2]=zero
__global__ void reduceStrided(const int *in, int *out) {
    __shared__ int data[64];
    unsigned t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * t;
        if (index < blockDim.x)
            data[index] += data[index + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}

//@ reduceSequential<<<2, 64, 256>>> in:float[256]=rand100 out:float[2]=zero n=256
__global__ void reduceSequential(const float *in, float *out, int n) {
    extern __shared__ float dynamicFloats[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    dynamicFloats[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            dynamicFloats[t] = sum = sum + dynamicFloats[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum;
}

//@ reduceVolatileTail<<<2, 128>>> in:int[256]=rand100 out:int[2]=zero
__global__ void reduceVolatileTail(const int *in, int *out) {
    __shared__ volatile int data[128];
    unsigned t = threadIdx.x;
    data[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t < 64)
        data[t] += data[t + 64];
    __syncthreads();
    if (t < 32)
        data[t] += data[t + 32];
    __syncthreads();
    if (t < 8)
        data[t] += data[t + 8] + data[t + 16] + data[t + 24];
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = data[0] + data[1] + data[2] + data[3] + data[4] + data[5] + data[6] + data[7];
}

template <unsigned SIZE>
__device__ void fold(int *data, unsigned t) {
    if (SIZE >= 64) {
        if (t < SIZE / 2)
            data[t] += data[t + SIZE / 2];
        __syncthreads();
    }
}

//@ reduceTemplate<128><<<2, 128>>> in:int[512]=rand100 out:int[2]=zero n=500
template <unsigned SIZE>
__global__ void reduceTemplate(const int *in, int *out, unsigned n) {
    __shared__ int data[SIZE];
    unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t;
    data[t] = 0;
    while (i < n) {
        data[t] += in[i];
        i += SIZE * gridDim.x;
    }
    __syncthreads();
    fold<SIZE>(data, t);
    fold<SIZE / 2>(data, t);
    if (t < 32) {
        int sum = data[t];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}

//@ reduceShuffle<<<2, 96>>> in:float[192]=rand100 out:float[2]=zero
__global__ void reduceShuffle(const float *in, float *out) {
    __shared__ float warps[32];
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, offset);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warps[lane] : 0;
        for (int offset = 16; offset > 0; offset >>= 1)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

//@ reduceAtomic<<<2, 64>>> in:int[128]=rand100 out:int[1]=zero
__global__ void reduceAtomic(const int *in, int *out) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

//@ reduceMaxIndex<<<1, 64>>> in:int[64]=rand1000 best:int[1]=zero where:int[1]=zero
__global__ void reduceMaxIndex(const int *in, int *best, int *where) {
    __shared__ int values[64], indices[64];
    int t = threadIdx.x;
    values[t] = in[t];
    indices[t] = t;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
        if (t < s && values[t + s] > values[t]) {
            values[t] = values[t + s];
            indices[t] = indices[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        *best = values[0];
        *where = indices[0];
    }
}

//@ reduceFour<<<1, 32>>> in:float[128](float4)=rand100 out:float[32]=zero
__global__ void reduceFour(const float4 *in, float *out) {
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

//@ reduceSerial<<<1, 32>>> in:int[64]=rand100 out:int[1]=zero
__global__ void reduceSerial(const int *in, int *out) {
    __shared__ int data[32];
    data[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 32];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 32; i++)
            sum += data[i];
        *out = sum;
    }
}

//@ scanHillisSteele<<<2, 32>>> in:int[64]=rand100 out:int[64]=zero
__global__ void scanHillisSteele(const int *in, int *out) {
    __shared__ int temp[2][32];
    int t = threadIdx.x, from = 0, to = 1;
    temp[0][t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    for (int offset = 1; offset < 32; offset *= 2) {
        if (t >= offset)
            temp[to][t] = temp[from][t] + temp[from][t - offset];
        else
            temp[to][t] = temp[from][t];
        __syncthreads();
        from = to;
        to = 1 - to;
    }
    out[blockIdx.x * 32 + t] = temp[from][t];
}

//@ scanInPlace<<<1, 64>>> data:int[64]=rand100
__global__ void scanInPlace(int *data) {
    __shared__ int temp[64];
    int t = threadIdx.x;
    temp[t] = data[t];
    for (int stride = 1; stride < 64; stride *= 2) {
        int other = 0;
        __syncthreads();
        if (t >= stride)
            other = temp[t - stride];
        __syncthreads();
        temp[t] += other;
    }
    data[t] = temp[t];
}

//@ scanBlelloch<<<1, 32, 256>>> in:int[64]=rand100 out:int[64]=zero n=64
__global__ void scanBlelloch(const int *in, int *out, int n) {
    extern __shared__ int dynamicInts[];
    int t = threadIdx.x, offset = 1;
    dynamicInts[2 * t] = in[2 * t];
    dynamicInts[2 * t + 1] = in[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            dynamicInts[b] += dynamicInts[a];
        }
        offset *= 2;
    }
    if (t == 0)
        dynamicInts[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, swap = dynamicInts[a];
            dynamicInts[a] = dynamicInts[b];
            dynamicInts[b] += swap;
        }
    }
    __syncthreads();
    out[2 * t] = dynamicInts[2 * t];
    out[2 * t + 1] = dynamicInts[2 * t + 1];
}

//@ scanWarp<<<1, 64>>> data:int[64]=rand100
__global__ void scanWarp(int *data) {
    int value = data[threadIdx.x], lane = threadIdx.x & 31;
#pragma unroll
    for (int i = 1; i <= 16; i *= 2) {
        int n = __shfl_up_sync(0xffffffff, value, i, 32);
        if (lane >= i)
            value += n;
    }
    data[threadIdx.x] = value;
}

//@ addBlockSums<<<2, 32>>> data:int[64]=rand10 sums:int[2]={5,9}
__global__ void addBlockSums(int *data, const int *sums) {
    if (blockIdx.x > 0)
        data[blockIdx.x * 32 + threadIdx.x] += sums[blockIdx.x - 1];
}

//@ prefixSerial<<<1, 32>>> data:int[256]=rand10 n=8
__global__ void prefixSerial(int *data, int n) {
    int *mine = data + threadIdx.x * n;
    for (int i = 1; i < n; i++)
        mine[i] += mine[i - 1];
}

//@ histogramGlobal<<<2, 32>>> in:uchar[256]=rand16 bins:int[16]=zero n=256
__global__ void histogramGlobal(const unsigned char *in, int *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i]], 1);
}

//@ histogramPrivate<<<2, 32>>> in:uchar[256]=rand16 bins:int[16]=zero n=256
__global__ void histogramPrivate(const unsigned char *in, int *bins, int n) {
    __shared__ int own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

//@ histogramByThread<<<1, 32>>> in:uchar[512]=rand8 out:int[256]=zero
__global__ void histogramByThread(const unsigned char *in, int *out) {
    int counts[8] = {0};
    for (int i = 0; i < 16; i++)
        counts[in[threadIdx.x * 16 + i]]++;
    for (int i = 0; i < 8; i++)
        out[i * 32 + threadIdx.x] = counts[i];
}

//@ countIf<<<1, 64>>> in:int[256]=sym50 count:int[1]=zero
__global__ void countIf(const int *in, int *count) {
    int mine = 0;
    for (int i = threadIdx.x; i < 256; i += 64)
        mine += in[i] < 0;
    unsigned votes = __ballot_sync(0xffffffff, mine > 2);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, __popc(votes));
}

//@ compact<<<2, 32>>> in:int[64]=sym50 out:int[64]=zero~ count:int[1]=zero
__global__ void compact(const int *in, int *out, int *count) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (value > 0)
        out[atomicAdd(count, 1)] = value;
}

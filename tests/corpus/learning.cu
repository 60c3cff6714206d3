// Layers of networks, particles, finance: loops with arithmetic.

//@ softmaxRow<<<1, 16>>> in:float[128]=mod6 out:float[128]=zero n=8
__global__ void softmaxRow(const float *in, float *out, int n) {
    const float *row = in + threadIdx.x * n;
    float *to = out + threadIdx.x * n;
    float most = row[0], sum = 0;
    for (int i = 1; i < n; i++)
        most = fmaxf(most, row[i]);
    for (int i = 0; i < n; i++) {
        to[i] = __expf(row[i] - most);
        sum += to[i];
    }
    for (int i = 0; i < n; i++)
        to[i] /= sum;
}

//@ softmaxBlock<<<2, 32>>> in:float[64]=mod6 out:float[64]=zero
__global__ void softmaxBlock(const float *in, float *out) {
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = in[i];
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (t < o)
            s[t] = fmaxf(s[t], s[t + o]);
        __syncthreads();
    }
    float most = s[0];
    __syncthreads();
    float e = __expf(in[i] - most);
    s[t] = e;
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    out[i] = e / s[0];
}

//@ layerNorm<<<1, 16>>> x:float[128]=rand9 gain:float[8]=mod3 bias:float[8]=mod4 y:float[128]=zero n=8
__global__ void layerNorm(const float *__restrict__ x, const float *__restrict__ gain, const float *__restrict__ bias,
                          float *__restrict__ y, int n) {
    const float *row = x + threadIdx.x * n;
    float mean = 0, variance = 0;
    for (int i = 0; i < n; i++)
        mean += row[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        variance += (row[i] - mean) * (row[i] - mean);
    float scale = rsqrtf(variance / n + 1e-5f);
    for (int i = 0; i < n; i++)
        y[threadIdx.x * n + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

//@ relu<<<2, 32>>> x:float[64]=sym9
__global__ void relu(float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i] > 0 ? x[i] : 0;
}

//@ reluGrad<<<2, 32>>> x:float[64]=sym9 dy:float[64]=rand9 dx:float[64]=zero
__global__ void reluGrad(const float *x, const float *dy, float *dx) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    dx[i] = x[i] > 0 ? dy[i] : 0;
}

//@ biasAdd<<<2, 32>>> x:float[256]=sym9 bias:float[16]=mod5 n=256 c=16
__global__ void biasAdd(float *x, const float *bias, int n, int c) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += bias[i % c];
}

//@ adamStep<<<1, 32>>> w:float[32]=rand9 g:float[32]=sym5 m:float[32]=mod3 v:float[32]=mod4 rate=0.5f
__global__ void adamStep(float *w, const float *g, float *m, float *v, float rate) {
    int i = threadIdx.x;
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.99f * v[i] + 0.01f * g[i] * g[i];
    w[i] -= rate * m[i] / (sqrtf(v[i]) + 1.0f);
}

//@ maxPool<<<1, 8x4>>> in:float[128]=rand99 out:float[32]=zero w=16
__global__ void maxPool(const float *in, float *out, int w) {
    int x = threadIdx.x * 2, y = threadIdx.y * 2;
    float most = -1e9f;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++)
            most = fmaxf(most, in[(y + dy) * w + x + dx]);
    out[threadIdx.y * 8 + threadIdx.x] = most;
}

//@ convLayer<<<2, 6x6>>> in:float[128]=rand9 weights:float[36]=sym2 bias:float[2]=mod2 out:float[72]=zero channels=2
__global__ void convLayer(const float *in, const float *weights, const float *bias, float *out, int channels) {
    int x = threadIdx.x, y = threadIdx.y, o = blockIdx.x;
    float sum = bias[o];
    for (int c = 0; c < channels; c++)
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++)
                sum += in[(c * 8 + y + ky) * 8 + x + kx] * weights[((o * channels + c) * 3 + ky) * 3 + kx];
    out[(o * 6 + y) * 6 + x] = sum;
}

//@ denseLayer<<<1, 16>>> x:float[12]=rand9 weights:float[192]=sym2 bias:float[16]=mod5 y:float[16]=zero n=12
__global__ void denseLayer(const float *x, const float *weights, const float *bias, float *y, int n) {
    y[threadIdx.x] = bias[threadIdx.x];
    for (int i = 0; i < n; i++)
        y[threadIdx.x] += weights[threadIdx.x * n + i] * x[i];
}

//@ embedding<<<4, 16>>> ids:int[4]={3,0,2,3} table:float[64]=ramp out:float[64]=zero width=16
__global__ void embedding(const int *ids, const float *table, float *out, int width) {
    out[blockIdx.x * width + threadIdx.x] = table[ids[blockIdx.x] * width + threadIdx.x];
}

//@ kmeansAssign<<<1, 32>>> p:float[64]=rand50 centers:float[8]=rand50 label:int[32]=zero k=4
__global__ void kmeansAssign(const float *p, const float *centers, int *label, int k) {
    int i = threadIdx.x, best = 0;
    float least = 1e30f;
    for (int c = 0; c < k; c++) {
        float dx = p[2 * i] - centers[2 * c], dy = p[2 * i + 1] - centers[2 * c + 1], d = dx * dx + dy * dy;
        if (d < least) {
            least = d;
            best = c;
        }
    }
    label[i] = best;
}

//@ kmeansSums<<<1, 32>>> p:float[64]=rand50 label:int[32]=mod4 sums:float[8]=zero counts:int[4]=zero
__global__ void kmeansSums(const float *p, const int *label, float *sums, int *counts) {
    int i = threadIdx.x;
    atomicAdd(&sums[2 * label[i]], p[2 * i]);
    atomicAdd(&sums[2 * label[i] + 1], p[2 * i + 1]);
    atomicAdd(&counts[label[i]], 1);
}

//@ bodyForces<<<1, 32>>> p:float[128](float4)=rand50 f:float[96](float3)=zero n=32
__global__ void bodyForces(const float4 *p, float3 *f, int n) {
    float4 own = p[threadIdx.x];
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++) {
        float4 other = p[j];
        float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.5f), s = other.w * inverse * inverse * inverse;
        sum.x += dx * s;
        sum.y += dy * s;
        sum.z += dz * s;
    }
    f[threadIdx.x] = sum;
}

//@ bodyForcesTiled<<<2, 32>>> p:float[256](float4)=rand50 a:float[256](float4)=zero
__global__ void bodyForcesTiled(const float4 *p, float4 *a) {
    __shared__ float4 tile[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < gridDim.x; t++) {
        tile[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            float d = dx * dx + dy * dy + dz * dz + 0.5f, s = tile[j].w / (d * sqrtf(d));
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        __syncthreads();
    }
    a[i] = make_float4(ax, ay, az, 0);
}

struct State {
    float px, py, pz, vx, vy, vz;
};

//@ bodyForcesAos<<<1, 32>>> s:float[192](State)=rand50 dt=0.5f n=32
__global__ void bodyForcesAos(State *s, float dt, int n) {
    int i = threadIdx.x;
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
        float dx = s[j].px - s[i].px, dy = s[j].py - s[i].py, dz = s[j].pz - s[i].pz;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.5f);
        fx += dx * inverse;
        fy += dy * inverse;
        fz += dz * inverse;
    }
    s[i].vx += dt * fx;
    s[i].vy += dt * fy;
    s[i].vz += dt * fz;
}

//@ bodyIntegrate<<<1, 32>>> s:float[192](State)=rand50 dt=0.5f n=32
__global__ void bodyIntegrate(State *s, float dt, int n) {
    int i = threadIdx.x;
    if (i >= n)
        return;
    s[i].px += s[i].vx * dt;
    s[i].py += s[i].vy * dt;
    s[i].pz += s[i].vz * dt;
}

//@ optionPrices<<<1, 32>>> spot:float[32]=rand50 strike:float[32]=rand50 call:float[32]=zero n=32
__global__ void optionPrices(const float *__restrict__ spot, const float *__restrict__ strike, float *__restrict__ call,
                             int n) {
    int i = threadIdx.x;
    if (i < n) {
        float s = spot[i] + 1, k = strike[i] + 1, root = sqrtf(0.5f), d = (__logf(s / k) + 0.3f) / root;
        call[i] = s * (1 / (1 + __expf(-d))) - k * (1 / (1 + __expf(root - d)));
    }
}

//@ binomialTree<<<4, 16>>> price:float[4]=zero up=1.5f steps=15
__global__ void binomialTree(float *price, float up, int steps) {
    __shared__ float value[17];
    int t = threadIdx.x;
    value[t] = t * up + blockIdx.x;
    __syncthreads();
    for (int s = steps; s > 0; s--) {
        float next = t < s ? 0.5f * value[t + 1] + 0.4f * value[t] : 0;
        __syncthreads();
        if (t < s)
            value[t] = next;
        __syncthreads();
    }
    if (t == 0)
        price[blockIdx.x] = value[0];
}

//@ monteCarloPi<<<1, 32>>> hits:int[32]=zero n=20
__global__ void monteCarloPi(int *hits, int n) {
    unsigned state = threadIdx.x * 7919u + 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * (1.0f / 16777216.0f);
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y < 1.0f)
            hits[threadIdx.x]++;
    }
}

//@ mandelbrot<<<1, 8x8>>> out:int[64]=zero limit=20
__global__ void mandelbrot(int *out, int limit) {
    float cx = threadIdx.x * 0.375f - 2, cy = threadIdx.y * 0.25f - 1, x = 0, y = 0;
    int n = 0;
    while (x * x + y * y < 4 && n < limit) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    out[threadIdx.y * 8 + threadIdx.x] = n;
}

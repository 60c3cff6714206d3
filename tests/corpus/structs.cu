// Structs, arrays of structs, vector types.

struct Particle {
    float x, y, z, mass;
};
struct Vec3 {
    float x, y, z;
};
struct Pair {
    int key, value;
};
struct Wide {
    double a, b;
    int c, d;
};
struct __align__(16) Body {
    float x, y, z, w;
};
struct Node {
    int next;
    int weight;
};
struct Flags {
    unsigned kind : 4, level : 12, rest : 16;
};
union Word {
    unsigned bits;
    float number;
    unsigned char bytes[4];
};
struct Pixel {
    unsigned char r, g, b;
};
struct Mixed {
    char tag;
    short count;
    int total;
};

//@ aosMove<<<2, 32>>> p:float[256](Particle)=rand50 dt=2.0f
__global__ void aosMove(Particle *p, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].x += dt * p[i].mass;
    p[i].y += dt * p[i].mass;
    p[i].z += dt * p[i].mass;
}

//@ soaMove<<<2, 32>>> x:float[64]=rand50 y:float[64]=rand40 z:float[64]=rand30 m:float[64]=rand9 dt=2.0f
__global__ void soaMove(float *x, float *y, float *z, const float *m, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += dt * m[i];
    y[i] += dt * m[i];
    z[i] += dt * m[i];
}

//@ soaMoveRestrict<<<2, 32>>> x:float[64]=rand50 y:float[64]=rand40 m:float[64]=rand9 dt=2.0f
__global__ void soaMoveRestrict(float *__restrict__ x, float *__restrict__ y, const float *__restrict__ m, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += dt * m[i];
    y[i] += dt * m[i];
}

//@ aosCopy<<<2, 32>>> to:float[256](Particle)=zero from:float[256](Particle)=rand99
__global__ void aosCopy(Particle *to, const Particle *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

//@ aosScale<<<2, 32>>> to:float[256](Particle)=zero from:float[256](Particle)=rand99 s=3.0f
__global__ void aosScale(Particle *to, const Particle *from, float s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Particle p = from[i];
    p.x *= s;
    p.y *= s;
    p.z *= s;
    to[i] = p;
}

//@ aosOneField<<<2, 32>>> p:float[256](Particle)=rand99 out:float[64]=zero
__global__ void aosOneField(const Particle *p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Particle own = p[i];
    out[i] = own.y;
}

//@ alignedFields<<<2, 32>>> p:float[256](Body)=rand99 out:float[64]=zero
__global__ void alignedFields(const Body *p, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[i].x * p[i].y + p[i].z * p[i].w;
}

//@ alignedCopy<<<2, 32>>> to:float[256](Body)=zero from:float[256](Body)=rand99
__global__ void alignedCopy(Body *to, const Body *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

//@ vec3Add<<<2, 32>>> a:float[192](Vec3)=rand99 b:float[192](Vec3)=rand98 c:float[192](Vec3)=zero
__global__ void vec3Add(const Vec3 *a, const Vec3 *b, Vec3 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i].x = a[i].x + b[i].x;
    c[i].y = a[i].y + b[i].y;
    c[i].z = a[i].z + b[i].z;
}

__device__ Vec3 cross(const Vec3 &a, const Vec3 &b) {
    Vec3 c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

//@ vec3Cross<<<2, 32>>> a:float[192](Vec3)=rand9 b:float[192](Vec3)=rand8 c:float[192](Vec3)=zero
__global__ void vec3Cross(const Vec3 *a, const Vec3 *b, Vec3 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = cross(a[i], b[i]);
}

//@ initStructs<<<2, 32>>> p:int[128](Pair)=sym9
__global__ void initStructs(Pair *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair own = {i, 0};
    p[i] = own;
}

//@ initFields<<<2, 32>>> p:int[128](Pair)=sym9
__global__ void initFields(Pair *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].key = i;
    p[i].value = 3 * i;
}

//@ swapPairs<<<1, 32>>> p:int[128](Pair)=rand99
__global__ void swapPairs(Pair *p) {
    int i = threadIdx.x;
    if (p[2 * i].key > p[2 * i + 1].key) {
        Pair t = p[2 * i];
        p[2 * i] = p[2 * i + 1];
        p[2 * i + 1] = t;
    }
}

//@ wideCopy<<<1, 32>>> to:int[192](Wide)=zero from:int[192](Wide)=rand9999
__global__ void wideCopy(Wide *to, const Wide *from) {
    to[threadIdx.x] = from[threadIdx.x];
}

//@ wideFields<<<1, 32>>> w:int[192](Wide)=mod1000
__global__ void wideFields(Wide *w) {
    Wide *own = &w[threadIdx.x];
    own->c += own->d;
    own->d = own->c * 2;
    own->b = own->a;
}

//@ byReference<<<1, 32>>> p:float[128](Particle)=rand50 g=3.0f
__global__ void byReference(Particle *p, float g) {
    Particle &own = p[threadIdx.x];
    own.z -= g;
    if (own.z < 0) {
        own.z = -own.z;
        own.mass *= 0.5f;
    }
}

//@ bitFields<<<1, 32>>> f:uint[32](Flags)=rand60000
__global__ void bitFields(Flags *f) {
    int i = threadIdx.x;
    f[i].level = f[i].level + f[i].kind;
    f[i].kind = 3;
}

//@ unionBytes<<<1, 32>>> w:uint[32](Word)=rand60000 out:int[32]=zero
__global__ void unionBytes(Word *w, int *out) {
    int i = threadIdx.x;
    out[i] = w[i].bytes[0] + w[i].bytes[1] + w[i].bytes[2] + w[i].bytes[3];
}

//@ unionSign<<<1, 32>>> w:float[32](Word)=sym50
__global__ void unionSign(Word *w) {
    w[threadIdx.x].bits ^= 0x80000000u;
    w[threadIdx.x].number += 1.0f;
}

//@ pixelInvert<<<1, 32>>> p:uchar[96](Pixel)=rand256
__global__ void pixelInvert(Pixel *p) {
    int i = threadIdx.x;
    p[i].r = 255 - p[i].r;
    p[i].g = 255 - p[i].g;
    p[i].b = 255 - p[i].b;
}

//@ mixedFields<<<1, 32>>> m:uchar[256](Mixed)=rand90
__global__ void mixedFields(Mixed *m) {
    Mixed own = m[threadIdx.x];
    own.total += own.count * own.tag;
    own.count++;
    m[threadIdx.x] = own;
}

//@ float2Complex<<<1, 32>>> a:float[64](float2)=rand20 b:float[64](float2)=rand30 c:float[64](float2)=zero
__global__ void float2Complex(const float2 *a, const float2 *b, float2 *c) {
    int i = threadIdx.x;
    c[i].x = a[i].x * b[i].x - a[i].y * b[i].y;
    c[i].y = a[i].x * b[i].y + a[i].y * b[i].x;
}

//@ float2Whole<<<1, 32>>> a:float[64](float2)=rand20 c:float[64](float2)=zero
__global__ void float2Whole(const float2 *a, float2 *c) {
    float2 v = a[threadIdx.x];
    c[threadIdx.x] = make_float2(v.y, v.x);
}

//@ float4Whole<<<1, 32>>> a:float[128](float4)=rand20 c:float[128](float4)=zero s=2.0f
__global__ void float4Whole(const float4 *a, float4 *c, float s) {
    float4 v = a[threadIdx.x];
    v.x *= s;
    v.y *= s;
    v.z *= s;
    v.w *= s;
    c[threadIdx.x] = v;
}

//@ float4Fields<<<1, 32>>> a:float[128](float4)=rand20 c:float[32]=zero
__global__ void float4Fields(const float4 *a, float *c) {
    int i = threadIdx.x;
    c[i] = a[i].x + a[i].y + a[i].z + a[i].w;
}

//@ float4StoreFields<<<1, 32>>> a:float[32]=rand20 c:float[128](float4)=zero
__global__ void float4StoreFields(const float *a, float4 *c) {
    int i = threadIdx.x;
    c[i].x = a[i];
    c[i].y = a[i] * 2;
    c[i].z = a[i] * 3;
    c[i].w = a[i] * 4;
}

//@ float4TwoFields<<<1, 32>>> a:float[128](float4)=rand20 c:float[32]=zero
__global__ void float4TwoFields(const float4 *a, float *c) {
    c[threadIdx.x] = a[threadIdx.x].x * a[threadIdx.x].w;
}

//@ float4ThreeFields<<<1, 32>>> p:float[128](float4)=rand20 c:float[32]=zero
__global__ void float4ThreeFields(const float4 *p, float *c) {
    float4 v = p[threadIdx.x];
    c[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z;
}

//@ double2Whole<<<1, 32>>> a:double[64](double2)=rand20 c:double[64](double2)=zero
__global__ void double2Whole(const double2 *a, double2 *c) {
    double2 v = a[threadIdx.x];
    c[threadIdx.x] = make_double2(v.x + v.y, v.x - v.y);
}

//@ copyAsFloat4<<<1, 32>>> to:float[128]=zero from:float[128]=rand20
__global__ void copyAsFloat4(float *to, const float *from) {
    reinterpret_cast<float4 *>(to)[threadIdx.x] = reinterpret_cast<const float4 *>(from)[threadIdx.x];
}

//@ copyAsInt4Tail<<<1, 32>>> to:int[139]=zero from:int[139]=rand20 n=139
__global__ void copyAsInt4Tail(int *to, const int *from, int n) {
    for (int i = threadIdx.x; i < n / 4; i += blockDim.x)
        reinterpret_cast<int4 *>(to)[i] = reinterpret_cast<const int4 *>(from)[i];
    int rest = n / 4 * 4 + threadIdx.x;
    if (rest < n)
        to[rest] = from[rest];
}

//@ copyAsInt2<<<1, 32>>> to:int[64]=zero from:int[64]=rand20
__global__ void copyAsInt2(int *to, int *from) {
    int2 v = reinterpret_cast<int2 *>(from)[threadIdx.x];
    v.x += v.y;
    reinterpret_cast<int2 *>(to)[threadIdx.x] = v;
}

//@ uchar4Swizzle<<<1, 32>>> p:uchar[128](uchar4)=rand256
__global__ void uchar4Swizzle(uchar4 *p) {
    uchar4 v = p[threadIdx.x];
    p[threadIdx.x] = make_uchar4(v.z, v.y, v.x, 255);
}

//@ float3Array<<<1, 32>>> a:float[96](float3)=rand20 b:float[96](float3)=zero
__global__ void float3Array(const float3 *a, float3 *b) {
    float3 v = a[threadIdx.x];
    b[threadIdx.x] = make_float3(v.z, v.x, v.y);
}

struct Dims {
    int n, stride;
    float scale;
};

//@ structByValue<<<1, 32>>> d=Dims{20,3,2.5f} x:float[96]=rand20
__global__ void structByValue(Dims d, float *x) {
    if (threadIdx.x < d.n)
        x[threadIdx.x * d.stride] *= d.scale;
}

//@ chaseIndices<<<1, 32>>> n:int[128](Node)={7,3,9,2,11,1,17,4,19,6,23,8,29,5,31,9,37,2,41,5} out:int[32]=zero
__global__ void chaseIndices(const Node *n, int *out) {
    int at = threadIdx.x, sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += n[at].weight;
        at = n[at].next;
    }
    out[threadIdx.x] = sum;
}

//@ sharedStructs<<<1, 32>>> in:float[128](Particle)=rand20 out:float[32]=zero
__global__ void sharedStructs(const Particle *in, float *out) {
    __shared__ Particle tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    Particle other = tile[31 - threadIdx.x];
    out[threadIdx.x] = other.x * tile[threadIdx.x].mass + other.y;
}

// Ray tracing of 48 spheres, a thread a pixel: the closest hit with the spheres in global and in shared memory, then
// shading with shadow rays that stop at the first sphere in the way, and a whole image with reflections.
#include "common.h"

#define SPHERES 48
#define BOUNCES 3
#define FAR 1e30f
#define NEAR 1e-3f

struct Sphere {
    float x, y, z, radius;
    float red, green, blue, mirror;
};

struct Ray {
    float3 from, to;
};

__constant__ Sphere c_spheres[SPHERES];

#define BOTH __host__ __device__ inline

BOTH float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
BOTH float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
BOTH float3 operator*(float3 a, float k) { return make_float3(a.x * k, a.y * k, a.z * k); }

// With the roundings told, so that the host finds the same sphere where two are nearly as close.
BOTH float dot(float3 a, float3 b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
BOTH float3 normal(float3 a) { return a * (1.0f / sqrtf(dot(a, a))); }

// b + k a
BOTH float3 plus(float k, float3 a, float3 b)
{
    return make_float3(fmaf(k, a.x, b.x), fmaf(k, a.y, b.y), fmaf(k, a.z, b.z));
}

BOTH Ray camera(int x, int y, int width, int height)
{
    const float scale = 1.0f / width, left = (float)(2 * x + 1 - width),
                up = (float)(height - 2 * y - 1);
    return {make_float3(0.0f, 1.5f, -6.0f), normal(make_float3(left * scale, up * scale, 1.5f))};
}

// How far the sphere is along the ray, or FAR.
BOTH float distance(Ray ray, float x, float y, float z, float radius)
{
    const float3 to = make_float3(x, y, z) - ray.from;
    const float b = dot(to, ray.to), c = fmaf(-radius, radius, dot(to, to)), d = fmaf(b, b, -c);
    if (d < 0.0f)
        return FAR;
    const float root = sqrtf(d);
    return b - root > NEAR ? b - root : b + root > NEAR ? b + root : FAR;
}

// What closest hits and shadows need, over spheres wherever they lie.
BOTH int closest(const Sphere *spheres, Ray ray, float *t)
{
    int hit = -1;
    *t = FAR;
    for (int k = 0; k < SPHERES; k++) {
        const float d = distance(ray, spheres[k].x, spheres[k].y, spheres[k].z, spheres[k].radius);
        hit = d < *t ? k : hit;
        *t = fminf(d, *t);
    }
    return hit;
}

BOTH bool shadowed(const Sphere *spheres, Ray ray, float most)
{
    for (int k = 0; k < SPHERES; k++)
        if (distance(ray, spheres[k].x, spheres[k].y, spheres[k].z, spheres[k].radius) < most)
            return true;
    return false;
}

BOTH float3 shade(const Sphere &sphere, Ray ray, float3 at, float3 light)
{
    const float3 n = (at - make_float3(sphere.x, sphere.y, sphere.z)) * (1.0f / sphere.radius),
                 l = normal(light - at), half = normal(l - ray.to);
    const float diffuse = 0.1f + 0.7f * fmaxf(dot(n, l), 0.0f);
    float shine = fmaxf(dot(n, half), 0.0f);
    for (int k = 0; k < 4; k++)
        shine *= shine;
    return make_float3(sphere.red * diffuse + 0.3f * shine, sphere.green * diffuse + 0.3f * shine,
                       sphere.blue * diffuse + 0.3f * shine);
}

BOTH float3 trace(const Sphere *spheres, Ray ray, float3 light)
{
    float3 colour = make_float3(0.0f, 0.0f, 0.0f);
    float weight = 1.0f;
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        float t;
        const int hit = closest(spheres, ray, &t);
        if (hit < 0)
            return colour + make_float3(0.2f, 0.3f, 0.5f) * weight;
        const Sphere &sphere = spheres[hit];
        const float3 at = plus(t, ray.to, ray.from), n = at - make_float3(sphere.x, sphere.y, sphere.z);
        colour = colour + shade(sphere, ray, at, light) * (weight * (1.0f - sphere.mirror));
        weight *= sphere.mirror;
        if (weight < 0.05f)
            break;
        const float turn = -2.0f * dot(n, ray.to) / (sphere.radius * sphere.radius);
        ray.to = plus(turn, n, ray.to);
        ray.from = at;
    }
    return colour;
}

#define PIXEL                                                                                      \
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, \
              i = y * width + x;

__global__ void closest_global(const Sphere *spheres, int *hits, float *depths, int width,
                               int height)
{
    PIXEL
    if (x >= width || y >= height)
        return;
    hits[i] = closest(spheres, camera(x, y, width, height), &depths[i]);
}

// The places alone are in shared memory, as float4; a thread has two pixels, one below the other.
__global__ void __launch_bounds__(128)
    closest_shared(const float4 *__restrict__ spheres, int *__restrict__ hits,
                   float *__restrict__ depths, int width, int height)
{
    __shared__ float4 s[SPHERES];
    const int thread = threadIdx.y * 16 + threadIdx.x;
    if (thread < SPHERES)
        s[thread] = spheres[2 * thread];
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const Ray first = camera(x, y, width, height), second = camera(x, y + 8, width, height);
    int hit[2] = {-1, -1};
    float t[2] = {FAR, FAR};
#pragma unroll 4
    for (int k = 0; k < SPHERES; k++) {
        const float4 v = s[k];
#pragma unroll
        for (int m = 0; m < 2; m++) {
            const float d = distance(m == 0 ? first : second, v.x, v.y, v.z, v.w);
            hit[m] = d < t[m] ? k : hit[m];
            t[m] = fminf(d, t[m]);
        }
    }
#pragma unroll
    for (int m = 0; m < 2; m++)
        if (x < width && y + 8 * m < height) {
            hits[(y + 8 * m) * width + x] = hit[m];
            depths[(y + 8 * m) * width + x] = t[m];
        }
}

// The fourth value tells how the pixel is lit: 0 background, 1 shadow, 2 light.
__global__ void shade_hits(const Sphere *__restrict__ spheres, const int *__restrict__ hits,
                           const float *__restrict__ depths, float3 light,
                           float4 *__restrict__ colours, int width, int height)
{
    PIXEL
    if (x >= width || y >= height)
        return;
    const int hit = hits[i];
    float4 colour = make_float4(0.2f, 0.3f, 0.5f, 0.0f);
    if (hit >= 0) {
        const Ray ray = camera(x, y, width, height);
        const float3 at = plus(depths[i], ray.to, ray.from), to = light - at,
                     c = shade(spheres[hit], ray, at, light);
        const bool dark = shadowed(c_spheres, {at, normal(to)}, sqrtf(dot(to, to)));
        const float part = dark ? 0.4f : 1.0f;
        colour = make_float4(c.x * part, c.y * part, c.z * part, dark ? 1.0f : 2.0f);
    }
    colours[i] = colour;
}

__global__ void render(float3 light, float *image, int width, int height)
{
    PIXEL
    if (x >= width || y >= height)
        return;
    const float3 colour = trace(c_spheres, camera(x, y, width, height), light);
    image[3 * i] = colour.x;
    image[3 * i + 1] = colour.y;
    image[3 * i + 2] = colour.z;
}

int main(int argc, char **argv)
{
    const int width = argument(argc, argv, 1, 64), height = (3 * width + 3) / 4, n = width * height,
              rounds = argument(argc, argv, 2, 1);
    const float3 light = make_float3(4.0f, 8.0f, -5.0f);
    std::vector<Sphere> spheres(SPHERES);
    for (int k = 0; k < SPHERES; k++) {
        const unsigned seed = 8 * k;
        spheres[k] = {8.0f * unit(seed) - 4.0f,     4.0f * unit(seed + 1) - 0.5f,
                      8.0f * unit(seed + 2) - 2.0f, 0.2f + 0.6f * unit(seed + 3),
                      unit(seed + 4),               unit(seed + 5),
                      unit(seed + 6),               k % 3 ? 0.0f : 0.6f};
    }
    spheres[0] = {0.0f, -101.0f, 0.0f, 100.0f, 0.6f, 0.6f, 0.6f, 0.2f};
    std::vector<int> hits(n);
    std::vector<float> depths(n), colours(4 * (size_t)n), image(3 * (size_t)n);
    for (int i = 0; i < n; i++) {
        const Ray ray = camera(i % width, i / width, width, height);
        float3 colour = make_float3(0.2f, 0.3f, 0.5f);
        float lit = 0.0f;
        hits[i] = closest(spheres.data(), ray, &depths[i]);
        if (hits[i] >= 0) {
            const float3 at = plus(depths[i], ray.to, ray.from), to = light - at;
            lit = shadowed(spheres.data(), {at, normal(to)}, sqrtf(dot(to, to))) ? 1.0f : 2.0f;
            colour = shade(spheres[hits[i]], ray, at, light) * (lit == 1.0f ? 0.4f : 1.0f);
        }
        const float3 whole = trace(spheres.data(), ray, light);
        const float all[7] = {colour.x, colour.y, colour.z, lit, whole.x, whole.y, whole.z};
        std::copy(all, all + 4, &colours[4 * (size_t)i]);
        std::copy(all + 4, all + 7, &image[3 * (size_t)i]);
    }
    CHECK(cudaMemcpyToSymbol(c_spheres, spheres.data(), sizeof c_spheres));
    const Sphere *dspheres = to_device(spheres);
    int *h[2];
    float *d[2], *dcolours = device_zeros<float>(colours.size()),
                 *dimage = device_zeros<float>(image.size());
    for (int k = 0; k < 2; k++) {
        h[k] = device_zeros<int>(n);
        d[k] = device_zeros<float>(n);
    }
    const dim3 block(16, 8), grid(ceil_div(width, 16), ceil_div(height, 8)),
        flat(ceil_div(width, 16), ceil_div(height, 16));
    for (int round = 0; round < rounds; round++) {
        closest_global<<<grid, block>>>(dspheres, h[0], d[0], width, height);
        closest_shared<<<flat, block>>>((const float4 *)dspheres, h[1], d[1], width, height);
        shade_hits<<<grid, block>>>(dspheres, h[0], d[0], light, (float4 *)dcolours, width, height);
        render<<<grid, block>>>(light, dimage, width, height);
    }
    expect("closest_global", h[0], hits);
    expect("closest_global", d[0], depths, 1e-5);
    expect("closest_shared", h[1], hits);
    expect("closest_shared", d[1], depths, 1e-5);
    expect("shade_hits", dcolours, colours, 1e-4);
    expect("render", dimage, image, 1e-4);
    return verdict();
}

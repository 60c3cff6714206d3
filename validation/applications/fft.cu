// Fourier transforms of many rows of 1024 points: bit reversal and ten passes of radix 2 through global memory,
// five passes of radix 4, and whole rows in shared memory.
#include "common.h"

#define POINTS 1024
#define LOG 10

__device__ float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ float2 root(int k, int of)
{
    float s, c;
    sincosf(-6.283185307179586f * k / of, &s, &c);
    return make_float2(c, s);
}

__global__ void reverse_bits(const float2 *in, float2 *out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % POINTS;
    out[t - k + (__brev(k) >> (32 - LOG))] = in[t];
}

// A butterfly of two points that lie half apart.
__global__ void radix2_pass(float2 *data, int half)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % half;
    float2 *p = data + (t - k) * 2 + k;
    const float2 a = p[0], b = times(p[half], root(k, 2 * half));
    p[0] = make_float2(a.x + b.x, a.y + b.y);
    p[half] = make_float2(a.x - b.x, a.y - b.y);
}

// Stockham's: reads four points a quarter apart, writes them in order, so that nothing is reversed.
__global__ void radix4_pass(const float2 *in, float2 *out, int done)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % (POINTS / 4);
    const float2 *p = in + t / (POINTS / 4) * POINTS + k;
    const float2 a = p[0], b = times(p[POINTS / 4], root(k % done, 4 * done));
    const float2 c = times(p[POINTS / 2], root(2 * (k % done), 4 * done));
    const float2 d = times(p[POINTS / 4 * 3], root(3 * (k % done), 4 * done));
    const float2 ac = make_float2(a.x + c.x, a.y + c.y), a_c = make_float2(a.x - c.x, a.y - c.y);
    const float2 bd = make_float2(b.x + d.x, b.y + d.y), b_d = make_float2(b.x - d.x, b.y - d.y);
    float2 *q = out + t / (POINTS / 4) * POINTS + k / done * done * 4 + k % done;
    q[0] = make_float2(ac.x + bd.x, ac.y + bd.y);
    q[done] = make_float2(a_c.x + b_d.y, a_c.y - b_d.x);
    q[2 * done] = make_float2(ac.x - bd.x, ac.y - bd.y);
    q[3 * done] = make_float2(a_c.x - b_d.y, a_c.y + b_d.x);
}

__global__ void fft_shared(const float2 *in, float2 *out)
{
    __shared__ float re[POINTS], im[POINTS];
    const int t = threadIdx.x;
    in += blockIdx.x * POINTS;
    for (int k = t; k < POINTS; k += blockDim.x) {
        const float2 v = in[k];
        re[__brev(k) >> (32 - LOG)] = v.x;
        im[__brev(k) >> (32 - LOG)] = v.y;
    }
    __syncthreads();
    for (int half = 1; half < POINTS; half *= 2) {
        for (int j = t; j < POINTS / 2; j += blockDim.x) {
            const int k = j % half, i = (j - k) * 2 + k;
            const float2 b = times(make_float2(re[i + half], im[i + half]), root(k, 2 * half));
            const float2 a = make_float2(re[i], im[i]);
            re[i] = a.x + b.x;
            im[i] = a.y + b.y;
            re[i + half] = a.x - b.x;
            im[i + half] = a.y - b.y;
        }
        __syncthreads();
    }
    for (int k = t; k < POINTS; k += blockDim.x)
        out[blockIdx.x * POINTS + k] = make_float2(re[k], im[k]);
}

// Some points of each row, by the definition.
static double worst_error(const std::vector<float> &in, const float *device, int rows)
{
    const std::vector<float> got = to_host(device, in.size());
    double worst = 0;
    for (int row = 0; row < rows; row += 1 + rows / 16)
        for (int k = row % 7; k < POINTS; k += 61) {
            double re = 0, im = 0;
            for (int j = 0; j < POINTS; j++) {
                const double angle = -6.283185307179586 * ((long)j * k % POINTS) / POINTS;
                const float *x = &in[((size_t)row * POINTS + j) * 2];
                re += x[0] * cos(angle) - x[1] * sin(angle);
                im += x[0] * sin(angle) + x[1] * cos(angle);
            }
            const float *y = &got[((size_t)row * POINTS + k) * 2];
            worst = fmax(worst, fmax(fabs(y[0] - re), fabs(y[1] - im)));
        }
    return worst;
}

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 8), rounds = argument(argc, argv, 2, 1);
    const int n = rows * POINTS;
    const std::vector<float> in = units((size_t)n * 2, 1);
    float2 *din = (float2 *)to_device(in), *two = (float2 *)device_zeros<float>((size_t)n * 2);
    float2 *ping = (float2 *)device_zeros<float>((size_t)n * 2),
           *pong = (float2 *)device_zeros<float>((size_t)n * 2);
    float2 *whole = (float2 *)device_zeros<float>((size_t)n * 2);
    for (int round = 0; round < rounds; round++) {
        reverse_bits<<<n / 256, 256>>>(din, two);
        for (int half = 1; half < POINTS; half *= 2)
            radix2_pass<<<n / 512, 256>>>(two, half);
        const float2 *from = din;
        for (int done = 1; done < POINTS; done *= 4) {
            float2 *to = from == ping ? pong : ping;
            radix4_pass<<<n / 1024, 256>>>(from, to, done);
            from = to;
        }
        fft_shared<<<rows, 256>>>(din, whole);
    }
    const float *results[3] = {(float *)two, (float *)ping, (float *)whole};
    for (int k = 0; k < 3; k++) {
        const double error = worst_error(in, results[k], rows);
        printf("transform %d: off by %g at most\n", k, error);
        wrong_arrays += error > 2e-3;
    }
    return verdict();
}

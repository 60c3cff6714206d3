// cufft.cu - are cuFFT's transforms the sums that they are defined as, for sizes by chance? An argument is the seed.
#include <cmath>
#include <complex>
#include <vector>

#include <cufft.h>
#include <cufftXt.h>

#include "check.h"

#define CHECK_FFT(call) CHECK_THAT((call) == CUFFT_SUCCESS)

typedef std::complex<double> number;

static unsigned long long state = 77;
static int pick(int least, int most)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return least + (int)((state >> 33) % (unsigned)(most - least + 1));
}

struct shape {
    int x, y, z, batch;
    int count() const { return x * y * z; }
};

static std::vector<number> sums(const std::vector<number> &in, shape s, int sign)
{
    std::vector<number> out(in.size());
    for (int b = 0; b < s.batch; b++)
        for (int k = 0; k < s.count(); k++)
            for (int i = 0; i < s.count(); i++) {
                const double turns = (double)(k / (s.y * s.z)) * (i / (s.y * s.z)) / s.x +
                                     (double)(k / s.z % s.y) * (i / s.z % s.y) / s.y +
                                     (double)(k % s.z) * (i % s.z) / s.z;
                out[b * s.count() + k] += in[b * s.count() + i] * std::polar(1.0, sign * 2 * M_PI * turns);
            }
    return out;
}

template <class T> T *upload(const std::vector<T> &host)
{
    T *device;
    CHECK_CALL(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK_CALL(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}
template <class T> std::vector<T> download(const T *device, size_t n)
{
    std::vector<T> host(n);
    CHECK_CALL(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

static void plan_of(cufftHandle *plan, shape s, cufftType type)
{
    int n[] = {s.x, s.y, s.z};
    if (s.x > 1 && s.batch == 1)
        CHECK_FFT(cufftPlan3d(plan, s.x, s.y, s.z, type));
    else if (s.y > 1 && s.batch == 1)
        CHECK_FFT(cufftPlan2d(plan, s.y, s.z, type));
    else if (s.y == 1)
        CHECK_FFT(cufftPlan1d(plan, s.z, type, s.batch));
    else
        CHECK_FFT(cufftPlanMany(plan, 3, n, NULL, 1, 0, NULL, 1, 0, type, s.batch));
}

template <class R> bool near(R a, double b, int n)
{
    return std::abs(a - b) < (sizeof(R) == 4 ? 1e-5 : 1e-12) * (n + 1);
}

// Complex to complex, forward and back, and in place.
template <class R, class C, class E> void complex_both_ways(shape s, cufftType type, E execute)
{
    const int all = s.count() * s.batch;
    std::vector<number> in(all);
    std::vector<std::complex<R>> given(all);
    for (int i = 0; i < all; i++)
        given[i] = in[i] = number(pick(-8, 8) / 8.0, pick(-8, 8) / 8.0);
    cufftHandle plan;
    plan_of(&plan, s, type);
    std::complex<R> *x = upload(given), *y = upload(given);
    for (int sign : {CUFFT_FORWARD, CUFFT_INVERSE}) {
        const std::vector<number> wanted = sums(in, s, sign);
        CHECK_FFT(execute(plan, (C *)x, (C *)y, sign));
        const std::vector<std::complex<R>> found = download(y, all);
        for (int i = 0; i < all; i++)
            CHECK_THAT(near(found[i].real(), wanted[i].real(), s.count()) &&
                       near(found[i].imag(), wanted[i].imag(), s.count()));
    }
    CHECK_FFT(execute(plan, (C *)y, (C *)y, CUFFT_FORWARD));
    const std::vector<std::complex<R>> back = download(y, all);
    for (int i = 0; i < all; i++)
        CHECK_THAT(near(back[i].real() / s.count(), in[i].real(), s.count()));
    CHECK_FFT(cufftDestroy(plan));
    CHECK_THAT(execute(plan, (C *)x, (C *)y, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
}

// Real to the first half of complex, and back.
template <class R, class C, class E, class B> void real_both_ways(shape s, cufftType there, cufftType back, E execute, B return_)
{
    const int all = s.count() * s.batch, half = s.z / 2 + 1, rows = s.x * s.y * s.batch;
    std::vector<number> in(all);
    std::vector<R> given(all);
    for (int i = 0; i < all; i++)
        in[i] = given[i] = (R)(pick(-8, 8) / 8.0);
    cufftHandle plan;
    plan_of(&plan, s, there);
    R *x = upload(given);
    std::complex<R> *y = upload(std::vector<std::complex<R>>(rows * half));
    CHECK_FFT(execute(plan, x, (C *)y));
    const std::vector<number> wanted = sums(in, s, CUFFT_FORWARD);
    const std::vector<std::complex<R>> found = download(y, rows * half);
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < half; k++)
            CHECK_THAT(near(found[row * half + k].real(), wanted[row * s.z + k].real(), s.count()) &&
                       near(found[row * half + k].imag(), wanted[row * s.z + k].imag(), s.count()));
    CHECK_FFT(cufftDestroy(plan));
    plan_of(&plan, s, back);
    CHECK_FFT(return_(plan, (C *)y, x));
    std::vector<R> again = download(x, all);
    for (int i = 0; i < all; i++)
        CHECK_THAT(near(again[i] / s.count(), given[i], s.count()));
    // In place rows of real numbers have room for their transforms.
    CHECK_FFT(return_(plan, (C *)y, (R *)y));
    again = download((R *)y, rows * half * 2);
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < s.z; k++)
            CHECK_THAT(near(again[row * half * 2 + k] / s.count(), given[row * s.z + k], s.count()));
    CHECK_FFT(cufftDestroy(plan));
}

__global__ void halve(float2 *x)
{
    x[threadIdx.x].x *= 0.5f;
}

// Plans in two steps, by whatever function, are those in one.
static void made_plans(const float2 *x, float2 *y, float2 *again)
{
    cufftHandle plan;
    size_t work = 1;
    int n[] = {4, 8};
    long long wide[] = {4, 8}, embed[] = {4, 8};
    float2 expected[32], result[32];
    CHECK_FFT(cufftPlan2d(&plan, 4, 8, CUFFT_C2C));
    CHECK_FFT(cufftExecC2C(plan, (float2 *)x, y, CUFFT_FORWARD));
    CHECK_CALL(cudaMemcpy(expected, y, sizeof expected, cudaMemcpyDeviceToHost));
    CHECK_FFT(cufftDestroy(plan));
    for (int how = 0; how < 5; how++) {
        CHECK_FFT(cufftCreate(&plan));
        CHECK_THAT(cufftExecC2C(plan, (float2 *)x, y, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
        if (how == 0)
            CHECK_FFT(cufftMakePlan2d(plan, 4, 8, CUFFT_C2C, &work));
        if (how == 1)
            CHECK_FFT(cufftMakePlanMany(plan, 2, n, NULL, 7, 7, n, 7, 7, CUFFT_C2C, 1, &work));
        if (how == 2)
            CHECK_FFT(cufftMakePlanMany64(plan, 2, wide, embed, 1, 32, embed, 1, 32, CUFFT_C2C, 1, &work));
        if (how > 2)
            CHECK_FFT(cufftXtMakePlanMany(plan, 2, wide, NULL, 1, 1, CUDA_C_32F, NULL, 1, 1, CUDA_C_32F, 1, &work,
                                          CUDA_C_32F));
        CHECK_THAT(work == 0);
        if (how > 3)
            CHECK_FFT(cufftXtExec(plan, (float2 *)x, again, CUFFT_FORWARD));
        else
            CHECK_FFT(cufftExecC2C(plan, (float2 *)x, again, CUFFT_FORWARD));
        CHECK_CALL(cudaMemcpy(result, again, sizeof result, cudaMemcpyDeviceToHost));
        CHECK_THAT(memcmp(result, expected, sizeof result) == 0);
        CHECK_FFT(cufftDestroy(plan));
    }
    CHECK_FFT(cufftCreate(&plan));
    CHECK_THAT(cufftXtMakePlanMany(plan, 2, wide, NULL, 1, 1, CUDA_C_16F, NULL, 1, 1, CUDA_C_16F, 1, &work, CUDA_C_16F) ==
               CUFFT_NOT_SUPPORTED);
    CHECK_THAT(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &work) == CUFFT_INVALID_SIZE);
    CHECK_FFT(cufftDestroy(plan));
    CHECK_THAT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work) == CUFFT_INVALID_PLAN);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        state = strtoull(argv[1], NULL, 10);
    printf("seed %llu\n", state);
    for (int round = 0; round < 12; round++) {
        const shape shapes[] = {{1, 1, pick(1, 60), pick(1, 3)}, {1, pick(1, 9), pick(1, 9), 1},
                                {pick(2, 5), pick(1, 6), pick(1, 6), 1}, {pick(1, 3), pick(2, 5), pick(1, 6), 2}};
        for (const shape &s : shapes) {
            complex_both_ways<float, cufftComplex>(s, CUFFT_C2C, cufftExecC2C);
            complex_both_ways<double, cufftDoubleComplex>(s, CUFFT_Z2Z, cufftExecZ2Z);
            real_both_ways<float, cufftComplex>(s, CUFFT_R2C, CUFFT_C2R, cufftExecR2C, cufftExecC2R);
            real_both_ways<double, cufftDoubleComplex>(s, CUFFT_D2Z, CUFFT_Z2D, cufftExecD2Z, cufftExecZ2D);
        }
    }
    cufftHandle plan;
    float2 *x, *y, host[32];
    int n = 32, wide = 64;
    CHECK_CALL(cudaMalloc(&x, sizeof host));
    CHECK_CALL(cudaMalloc(&y, sizeof host));
    CHECK_CALL(cudaMemset(x, 0, sizeof host));
    CHECK_FFT(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    CHECK_FFT(cufftExecC2C(plan, x, y, CUFFT_FORWARD));
    halve<<<1, 32>>>(y);
    for (int i = 0; i < 32; i++)
        host[i] = make_float2((float)i, (float)(i * i % 7));
    float2 *z;
    CHECK_CALL(cudaMalloc(&z, sizeof host));
    CHECK_CALL(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    made_plans(x, y, z);
    CHECK_THAT(cufftExecC2C(plan, host, y, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
    CHECK_THAT(cufftExecC2C(plan, x, y + 1, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
    CHECK_THAT(cufftExecR2C(plan, (float *)x, y) == CUFFT_INVALID_TYPE);
    CHECK_THAT(cufftPlanMany(&plan, 1, &n, &wide, 2, 64, &wide, 1, 32, CUFFT_C2C, 4) == CUFFT_NOT_SUPPORTED);
    CHECK_FFT(cufftPlanMany(&plan, 1, &n, &n, 1, 32, &n, 1, 32, CUFFT_C2C, 4));
    printf("PASSED\n");
}

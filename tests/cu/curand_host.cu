// curand_host.cu - have the numbers of cuRAND's generators the distributions that they are named after?
#include <algorithm>
#include <cmath>
#include <vector>

#include <curand.h>

#include "check.h"

#define CHECK_RAND(call) CHECK_THAT((call) == CURAND_STATUS_SUCCESS)

enum { N = 40000 };

template <class T> std::vector<T> back(const T *device)
{
    std::vector<T> host(N);
    CHECK_CALL(cudaMemcpy(host.data(), device, N * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// The largest distance between what is found and a distribution (Kolmogorov and Smirnov): above 1.95 / sqrt(N) once in
// a thousand seeds; the seeds are fixed.
template <class T, class F> void follows(std::vector<T> x, F distribution)
{
    double most = 0;
    std::sort(x.begin(), x.end());
    for (int i = 0; i < N; i++) {
        const double wanted = distribution((double)x[i]);
        most = std::max({most, std::abs(wanted - (double)i / N), std::abs(wanted - (i + 1.0) / N)});
    }
    CHECK_THAT(most < 1.95 / std::sqrt((double)N));
}

static double normal(double x, double mean, double deviation)
{
    return 0.5 * std::erfc((mean - x) / (deviation * std::sqrt(2.0)));
}

template <class T> void moments(const std::vector<T> &x, double mean, double variance)
{
    double sum = 0, squares = 0;
    for (T v : x)
        sum += (double)v;
    for (T v : x)
        squares += ((double)v - sum / N) * ((double)v - sum / N);
    CHECK_THAT(std::abs(sum / N - mean) < 4 * std::sqrt(variance / N));
    CHECK_THAT(std::abs(squares / N / variance - 1) < 0.05);
}

__global__ void add(float *x, const float *y)
{
    x[threadIdx.x] += y[threadIdx.x];
}

int main()
{
    curandGenerator_t g, host;
    float *x, *same;
    double *y;
    unsigned *k;
    CHECK_CALL(cudaMalloc(&x, N * sizeof *x));
    CHECK_CALL(cudaMalloc(&same, N * sizeof *same));
    CHECK_CALL(cudaMalloc(&y, N * sizeof *y));
    CHECK_CALL(cudaMalloc(&k, N * sizeof *k));
    CHECK_RAND(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    CHECK_RAND(curandGenerateUniform(g, x, N));
    follows(back(x), [](double v) { return v; });
    for (float v : back(x))
        CHECK_THAT(v > 0 && v <= 1);
    CHECK_RAND(curandGenerateUniformDouble(g, y, N));
    follows(back(y), [](double v) { return v; });
    CHECK_RAND(curandGenerateNormal(g, x, N, 3, 0.5f));
    follows(back(x), [](double v) { return normal(v, 3, 0.5); });
    CHECK_RAND(curandGenerateNormalDouble(g, y, N, -1, 2));
    follows(back(y), [](double v) { return normal(v, -1, 2); });
    CHECK_RAND(curandGenerateLogNormal(g, x, N, 0.5f, 0.25f));
    follows(back(x), [](double v) { return normal(std::log(v), 0.5, 0.25); });
    CHECK_RAND(curandGenerateLogNormalDouble(g, y, N, 0, 1));
    follows(back(y), [](double v) { return normal(std::log(v), 0, 1); });
    for (double lambda : {0.3, 7.0, 300.0}) {
        CHECK_RAND(curandGeneratePoisson(g, k, N, lambda));
        moments(back(k), lambda, lambda);
    }
    CHECK_RAND(curandGenerate(g, k, N));
    moments(back(k), 0x7fffffff + 0.5, std::pow(2.0, 64) / 12);
    CHECK_THAT(curandGenerateNormal(g, x, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK_THAT(curandCreateGenerator(&host, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) == CURAND_STATUS_TYPE_ERROR);

    // A seed is a sequence, an offset a place in it; a generator of the host's writes the host's memory.
    float first[32], later[32];
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(g, 7));
    CHECK_RAND(curandGenerateUniform(g, x, 64));
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(g, 7));
    CHECK_RAND(curandSetGeneratorOffset(g, 32));
    CHECK_RAND(curandGenerateUniform(g, same, 32));
    CHECK_CALL(cudaMemcpy(first, x + 32, sizeof first, cudaMemcpyDeviceToHost));
    CHECK_CALL(cudaMemcpy(later, same, sizeof later, cudaMemcpyDeviceToHost));
    CHECK_THAT(std::equal(first, first + 32, later));
    CHECK_RAND(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_XORWOW));
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(host, 7));
    CHECK_RAND(curandSetGeneratorOffset(host, 32));
    CHECK_RAND(curandGenerateUniform(host, later, 32));
    CHECK_THAT(std::equal(first, first + 32, later));
    CHECK_THAT(curandGenerateUniform(g, later, 32) == CURAND_STATUS_LAUNCH_FAILURE);
    add<<<1, 32>>>(x, same);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_RAND(curandDestroyGenerator(g));
    CHECK_RAND(curandDestroyGenerator(host));
    printf("PASSED\n");
}

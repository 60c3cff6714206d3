// curand_sobol.cu - are the quasi-random numbers of the host's generators and of kernels the Sobol sequences of Joe and Kuo?
#include <cmath>
#include <vector>

#include <curand.h>
#include <curand_kernel.h>

#include "check.h"

#define CHECK_RAND(call) CHECK_THAT((call) == CURAND_STATUS_SUCCESS)

enum { DIMENSIONS = 161, POINTS = 256 };

template <class T> std::vector<T> back(const T *device, size_t count)
{
    std::vector<T> host(count);
    CHECK_CALL(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// Published with the numbers: the first points of three dimensions.
static const double first[10][3] = {{0, 0, 0}, {.5, .5, .5}, {.75, .25, .25}, {.25, .75, .75},
    {.375, .375, .625}, {.875, .875, .125}, {.625, .125, .875}, {.125, .625, .375},
    {.1875, .3125, .9375}, {.6875, .8125, .4375}};

template <class State, class Word>
__global__ void draw(Word (*vectors)[sizeof(Word) * 8], Word *out, double *uniform, int each)
{
    State state;
    const int dimension = blockIdx.x, offset = threadIdx.x * each;
    curand_init(vectors[dimension], offset, &state);
    for (int i = 0; i < each; i++)
        out[dimension * POINTS + offset + i] = curand(&state);
    skipahead(-(Word)each, &state);
    uniform[dimension * POINTS + offset] = curand_uniform_double(&state);
}

template <class State, class Word> void in_kernels(Word (*host)[sizeof(Word) * 8], const std::vector<Word> &wanted)
{
    Word (*vectors)[sizeof(Word) * 8], *out;
    double *uniform;
    CHECK_CALL(cudaMalloc(&vectors, DIMENSIONS * sizeof *vectors));
    CHECK_CALL(cudaMemcpy(vectors, host, DIMENSIONS * sizeof *vectors, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMalloc(&out, wanted.size() * sizeof(Word)));
    CHECK_CALL(cudaMalloc(&uniform, wanted.size() * sizeof(double)));
    draw<State, Word><<<DIMENSIONS, 16>>>(vectors, out, uniform, POINTS / 16);
    CHECK_CALL(cudaDeviceSynchronize());
    const std::vector<Word> found = back(out, wanted.size());
    const std::vector<double> u = back(uniform, wanted.size());
    for (size_t i = 0; i < wanted.size(); i++) {
        CHECK_THAT(found[i] == wanted[i]);
        if (i % 16 == 0)
            CHECK_THAT(std::abs(u[i] - std::ldexp((double)wanted[i], -(int)sizeof(Word) * 8)) <= 0x1p-32 && u[i] > 0);
    }
}

__global__ void normals(unsigned (*vectors)[32], double *sums)
{
    curandStateSobol32 state;
    curand_init(vectors[threadIdx.x], 0u, &state);
    double sum = 0, squares = 0;
    for (int i = 0; i < 4096; i++) {
        const double x = curand_normal_double(&state);
        sum += x;
        squares += x * x;
    }
    sums[2 * threadIdx.x] = sum / 4096;
    sums[2 * threadIdx.x + 1] = squares / 4096;
}

int main()
{
    curandGenerator_t g, wide, pseudo;
    unsigned *k;
    unsigned long long *q;
    float *x;
    double *y;
    const size_t all = (size_t)DIMENSIONS * POINTS;
    CHECK_CALL(cudaMalloc(&k, all * sizeof *k));
    CHECK_CALL(cudaMalloc(&q, all * sizeof *q));
    CHECK_CALL(cudaMalloc(&x, all * sizeof *x));
    CHECK_CALL(cudaMalloc(&y, all * sizeof *y));
    CHECK_RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
    CHECK_RAND(curandCreateGenerator(&wide, CURAND_RNG_QUASI_SOBOL64));
    CHECK_RAND(curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_DEFAULT));

    // Dimension behind dimension, and the points that follow in a second call.
    CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(g, 3));
    CHECK_RAND(curandGenerateUniform(g, x, 12));
    CHECK_RAND(curandGenerateUniformDouble(g, y, 18));
    const std::vector<float> four = back(x, 12);
    const std::vector<double> six = back(y, 18);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < 10; i++)
            if (i < 4) // half a step further, in the precision of a float
                CHECK_THAT(four[d * 4 + i] == (float)first[i][d] + 0x1p-33f);
            else
                CHECK_THAT(six[d * 6 + i - 4] == first[i][d] + 0x1p-32);
    CHECK_THAT(curandGenerateUniform(g, x, 13) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);

    // Of every dimension 2^k points have one each in every part of 2^-k: all of the table.
    CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    CHECK_RAND(curandSetGeneratorOffset(g, 0));
    CHECK_RAND(curandGenerate(g, k, all));
    const std::vector<unsigned> narrow = back(k, all);
    for (int d = 0; d < DIMENSIONS; d++) {
        std::vector<int> hits(POINTS);
        for (int i = 0; i < POINTS; i++)
            hits[narrow[(size_t)d * POINTS + i] >> 24]++;
        for (int n : hits)
            CHECK_THAT(n == 1);
    }
    CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(wide, DIMENSIONS));
    CHECK_RAND(curandGenerateLongLong(wide, q, all));
    const std::vector<unsigned long long> long_ones = back(q, all);
    for (size_t i = 0; i < all; i++)
        CHECK_THAT(long_ones[i] >> 32 == narrow[i]);

    curandDirectionVectors32_t *vectors;
    curandDirectionVectors64_t *long_vectors;
    CHECK_RAND(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    CHECK_RAND(curandGetDirectionVectors64(&long_vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    in_kernels<curandStateSobol32>(vectors, narrow);
    in_kernels<curandStateSobol64>(long_vectors, long_ones);

    unsigned (*device)[32];
    double *sums;
    CHECK_CALL(cudaMalloc(&device, 8 * sizeof *device));
    CHECK_CALL(cudaMemcpy(device, vectors, 8 * sizeof *device, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMalloc(&sums, 16 * sizeof *sums));
    normals<<<1, 8>>>(device, sums);
    const std::vector<double> moments = back(sums, 16);
    for (int d = 0; d < 8; d++)
        CHECK_THAT(std::abs(moments[2 * d]) < 0.01 && std::abs(moments[2 * d + 1] - 1) < 0.02);

    // What is not there.
    CHECK_THAT(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK_THAT(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS + 1) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK_THAT(curandSetQuasiRandomGeneratorDimensions(pseudo, 2) == CURAND_STATUS_TYPE_ERROR);
    CHECK_THAT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    CHECK_THAT(curandGenerateNormal(g, x, 2, 0, 1) == CURAND_STATUS_TYPE_ERROR);
    CHECK_THAT(curandGenerateLongLong(pseudo, q, 2) == CURAND_STATUS_TYPE_ERROR);
    CHECK_THAT(curandGetDirectionVectors32(&vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK_THAT(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
    printf("PASSED\n");
}

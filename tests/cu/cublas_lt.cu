// cublas_lt.cu - do products of cuBLASLt give what a plain computation gives: orders, transpositions, batches, and what is done
// behind them?
#include <cmath>
#include <cublasLt.h>

#include "check.h"

#define CHECK_BLAS(call) CHECK_THAT((call) == CUBLAS_STATUS_SUCCESS)
#define SET(desc, name, value) CHECK_BLAS(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_##name, &(value), sizeof(value)))
#define SET_LAYOUT(layout, name, value) \
    CHECK_BLAS(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_##name, &(value), sizeof(value)))

enum { M = 5, N = 7, K = 3, COUNT = 2, PAD = 2 };

static float a[COUNT * 64], b[COUNT * 64], c[COUNT * 64], d[COUNT * 64], aux[64], bias[N], gradient[N];
static float *on_device[7];
static cublasLtHandle_t handle;

// A matrix of so many rows and columns, with `ld` from one to the next.
struct shape { int rows, columns, ld; bool by_rows, transposed; };
static int place(const shape &s, int i, int j)
{
    if (s.transposed) { const int t = i; i = j; j = t; }
    return s.by_rows ? i * s.ld + j : i + j * s.ld;
}
static shape shape_of(int rows, int columns, bool by_rows, bool transposed)
{
    shape s = {transposed ? columns : rows, transposed ? rows : columns, 0, by_rows, transposed};
    s.ld = (by_rows ? s.columns : s.rows) + PAD;
    return s;
}
static cublasLtMatrixLayout_t layout_of(const shape &s)
{
    cublasLtMatrixLayout_t layout;
    const cublasLtOrder_t order = s.by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    const int count = COUNT;
    const long stride = 64;
    CHECK_BLAS(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, s.rows, s.columns, s.ld));
    SET_LAYOUT(layout, ORDER, order);
    SET_LAYOUT(layout, BATCH_COUNT, count);
    SET_LAYOUT(layout, STRIDED_BATCH_OFFSET, stride);
    return layout;
}

static float gelu(float x) { return 0.5f * x * (1 + tanhf(sqrtf(2 / (float)M_PI) * (x + 0.044715f * x * x * x))); }
static float finished(cublasLtEpilogue_t epilogue, float value, int i, int at)
{
    if (epilogue & CUBLASLT_EPILOGUE_BIAS)
        value += bias[i];
    if (epilogue & CUBLASLT_EPILOGUE_RELU)
        return fmaxf(value, 0);
    if (epilogue == CUBLASLT_EPILOGUE_DGELU) // the slope, from both sides
        return value * (gelu(aux[at] + 1e-2f) - gelu(aux[at] - 1e-2f)) / 2e-2f;
    return epilogue & CUBLASLT_EPILOGUE_GELU ? gelu(value) : value;
}

static void product(unsigned bits, cublasLtEpilogue_t epilogue, bool in_place)
{
    const shape sa = shape_of(M, K, bits & 1, bits & 2), sb = shape_of(K, N, bits & 4, bits & 8);
    const shape sc = shape_of(M, N, bits & 16, false), sd = in_place ? sc : shape_of(M, N, bits & 32, false);
    const cublasOperation_t transa = sa.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, transb = sb.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const float alpha = 2, beta = 0.5f;
    const long aux_ld = M;
    cublasLtMatmulDesc_t desc;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found[2];
    int returned = -1;
    float **p = on_device;
    CHECK_BLAS(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F));
    SET(desc, TRANSA, transa);
    SET(desc, TRANSB, transb);
    SET(desc, EPILOGUE, epilogue);
    SET(desc, BIAS_POINTER, p[5]);
    SET(desc, EPILOGUE_AUX_POINTER, p[4]);
    SET(desc, EPILOGUE_AUX_LD, aux_ld);
    cublasLtMatrixLayout_t l[4] = {layout_of(sa), layout_of(sb), layout_of(sc), layout_of(sd)};
    for (int i = 0; i < COUNT * 64; i++) {
        a[i] = (i * 7 % 11 - 5) / 4.0f;
        b[i] = (i * 5 % 13 - 6) / 4.0f;
        c[i] = (i * 3 % 7 - 3) / 2.0f;
    }
    for (int i = 0; i < 64; i++)
        aux[i] = (i % 9 - 4) / 4.0f;
    for (int i = 0; i < N; i++)
        bias[i] = i - 2.0f;
    const void *host[] = {a, b, c, d, aux, bias};
    const size_t sizes[] = {sizeof a, sizeof b, sizeof c, sizeof d, sizeof aux, sizeof bias};
    for (int i = 0; i < 6; i++)
        CHECK_CALL(cudaMemcpy(p[i], host[i], sizes[i], cudaMemcpyHostToDevice));
    CHECK_BLAS(cublasLtMatmulPreferenceCreate(&preference));
    CHECK_BLAS(cublasLtMatmulAlgoGetHeuristic(handle, desc, l[0], l[1], l[2], l[3], preference, 2, found, &returned));
    CHECK_THAT(returned == 1 && found[0].state == CUBLAS_STATUS_SUCCESS);
    CHECK_BLAS(cublasLtMatmul(handle, desc, &alpha, p[0], l[0], p[1], l[1], &beta, p[2], l[2], in_place ? p[2] : p[3], l[3],
                              &found[0].algo, NULL, 0, 0));
    CHECK_CALL(cudaMemcpy(d, in_place ? p[2] : p[3], sizeof d, cudaMemcpyDeviceToHost));
    float aux_then[64];
    CHECK_CALL(cudaMemcpy(aux_then, p[4], sizeof aux, cudaMemcpyDeviceToHost));
    CHECK_CALL(cudaMemcpy(gradient, p[5], sizeof bias, cudaMemcpyDeviceToHost));
    for (int of = 0; of < COUNT; of++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float sum = 0;
                for (int k = 0; k < K; k++)
                    sum += a[of * 64 + place(sa, i, k)] * b[of * 64 + place(sb, k, j)];
                sum = alpha * sum + beta * c[of * 64 + place(sc, i, j)];
                const float wanted = finished(epilogue, sum, i, i + j * M), got = d[of * 64 + place(sd, i, j)];
                const float most = epilogue == CUBLASLT_EPILOGUE_DGELU ? 3e-3f : epilogue & CUBLASLT_EPILOGUE_GELU ? 1e-5f : 0;
                CHECK_THAT(fabsf(got - wanted) <= most);
                if (epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS && of == COUNT - 1)
                    CHECK_THAT(aux_then[i + j * M] == sum + bias[i]);
            }
    for (int i = 0; epilogue == CUBLASLT_EPILOGUE_BGRADB && i < N; i++) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += b[(COUNT - 1) * 64 + place(sb, k, i)];
        CHECK_THAT(gradient[i] == sum);
    }
    for (int i = 0; i < 4; i++)
        CHECK_BLAS(cublasLtMatrixLayoutDestroy(l[i]));
    CHECK_BLAS(cublasLtMatmulPreferenceDestroy(preference));
    CHECK_BLAS(cublasLtMatmulDescDestroy(desc));
}

// What cannot be multiplied: matrices that do not fit each other, types that are not there, memory of the host's.
static void refusals()
{
    cublasLtMatmulDescOpaque_t desc;
    cublasLtMatrixLayoutOpaque_t square, wide, complex;
    cublasLtMatmulHeuristicResult_t found;
    const float one = 1, none = 0;
    const short narrow = 0;
    int returned = -1;
    CHECK_BLAS(cublasLtMatmulDescInit(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CHECK_BLAS(cublasLtMatrixLayoutInit(&square, CUDA_R_32F, 4, 4, 4));
    CHECK_BLAS(cublasLtMatrixLayoutInit(&wide, CUDA_R_32F, 4, 5, 4));
    CHECK_BLAS(cublasLtMatrixLayoutInit(&complex, CUDA_C_32F, 4, 4, 4));
    CHECK_THAT(cublasLtMatmulDescSetAttribute(&desc, CUBLASLT_MATMUL_DESC_TRANSA, &narrow, sizeof narrow) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK_THAT(cublasLtMatmulAlgoGetHeuristic(handle, &desc, &square, &wide, &square, &square, NULL, 1, &found, &returned) ==
                   CUBLAS_STATUS_INVALID_VALUE && returned == 0);
    CHECK_THAT(cublasLtMatmulAlgoGetHeuristic(handle, &desc, &complex, &complex, &complex, &complex, NULL, 1, &found, &returned) ==
                   CUBLAS_STATUS_NOT_SUPPORTED && returned == 0);
    float **p = on_device;
    CHECK_THAT(cublasLtMatmul(handle, &desc, &one, a, &square, p[1], &square, &none, p[3], &square, p[3], &square, NULL, NULL, 0, 0) ==
               CUBLAS_STATUS_MAPPING_ERROR);
    CHECK_BLAS(cublasLtMatmul(handle, &desc, &one, p[0], &square, p[1], &square, &none, p[3], &square, p[3], &square, NULL, NULL, 0, 0));
}

// The headers of cuBLAS have both kinds of half precision.
__global__ void narrow(__nv_bfloat16 *x, __half *y) { *x = __float2bfloat16(3), *y = __float2half(3); }

int main()
{
    CHECK_BLAS(cublasLtCreate(&handle));
    for (float *&p : on_device)
        CHECK_CALL(cudaMalloc(&p, sizeof a));
    for (unsigned bits = 0; bits < 64; bits++)
        product(bits, CUBLASLT_EPILOGUE_DEFAULT, false);
    for (const cublasLtEpilogue_t epilogue :
         {CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS,
          CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU, CUBLASLT_EPILOGUE_BGRADB})
        product(9, epilogue, epilogue != CUBLASLT_EPILOGUE_BIAS);
    refusals();
    narrow<<<1, 1>>>((__nv_bfloat16 *)on_device[0], (__half *)on_device[1]);
    CHECK_BLAS(cublasLtDestroy(handle));
    printf("PASSED\n");
}

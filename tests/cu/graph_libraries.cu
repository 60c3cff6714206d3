// graph_libraries.cu - are calls of cuBLAS and cuSPARSE in a stream that is captured made when the graph is launched, each time,
// with the scalars, the pointer mode and the descriptors of the call?
#include <cublas_v2.h>
#include <cusparse.h>

#include "graph_calls.h"

#define CHECK_LIBRARY(call) CHECK_THAT((call) == 0)

static cudaStream_t stream;
static cublasHandle_t blas;
static cusparseHandle_t sparse;

template <class T> static T *on_device(const std::vector<T> &values)
{
    T *device;
    CHECK_CALL(cudaMalloc(&device, values.size() * sizeof(T)));
    CHECK_CALL(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}
static void put(float *device, float value)
{
    CHECK_CALL(cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
}

static void begin()
{
    CHECK_LIBRARY(cublasSetStream(blas, stream));
    CHECK_LIBRARY(cusparseSetStream(sparse, stream));
    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}
static cudaGraphExec_t end(size_t nodes_wanted)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    size_t nodes;
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK_THAT(nodes == nodes_wanted);
    CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
    CHECK_CALL(cudaGraphDestroy(graph));
    return run;
}
static void launch(cudaGraphExec_t run)
{
    CHECK_CALL(cudaGraphLaunch(run, stream));
    CHECK_CALL(cudaStreamSynchronize(stream));
}

// A scalar on the host is that of the call, one on the device that of the launch.
static void scalars()
{
    float *x = on_device<float>({1, 2, 3, 4}), *y = on_device<float>({10, 20, 30, 40});
    float *device_alpha = on_device<float>({1}), *dot = on_device<float>({-1});
    float alpha = 2;
    cublasPointerMode_t mode;
    begin();
    CHECK_LIBRARY(cublasSaxpy(blas, 4, &alpha, x, 1, y, 1));
    alpha = 1000;
    CHECK_LIBRARY(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    CHECK_LIBRARY(cublasSscal(blas, 4, device_alpha, y, 1));
    CHECK_LIBRARY(cublasSdot(blas, 4, x, 1, y, 1, dot));
    CHECK_LIBRARY(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
    scale<<<1, 1, 0, stream>>>(y, 3);
    cudaGraphExec_t run = end(4);
    CHECK_THAT(at(y, 0) == 10 && at(dot, 0) == -1);
    launch(run); // y = (12, 24, 36, 48), then its first element times 3
    CHECK_THAT(at(y, 0) == 36 && at(y, 3) == 48 && at(dot, 0) == 12 + 48 + 108 + 192);
    put(device_alpha, 10);
    launch(run); // y = (380, 280, 420, 560)
    CHECK_THAT(at(y, 0) == 1140 && at(y, 3) == 560 && at(dot, 0) == 380 + 560 + 1260 + 2240);
    CHECK_LIBRARY(cublasGetPointerMode(blas, &mode));
    CHECK_THAT(mode == CUBLAS_POINTER_MODE_HOST);
    CHECK_CALL(cudaGraphExecDestroy(run));
}

// The handle that a call was captured with, and its stream, are no part of the graph.
static void other_handle()
{
    float *a = on_device<float>({1, 3, 2, 4}), *b = on_device<float>({5, 7, 6, 8});
    float *c = on_device<float>({0, 0, 0, 0});
    const float one = 1;
    cublasHandle_t own;
    CHECK_LIBRARY(cublasCreate(&own));
    CHECK_LIBRARY(cublasSetStream(own, stream));
    begin();
    {
        const float alpha = 1, beta = 1;
        CHECK_LIBRARY(cublasSgemm(own, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, a, 2, b, 2, &beta, c, 2));
    }
    CHECK_LIBRARY(cublasGemmEx(own, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_32F, 2, b, CUDA_R_32F, 2,
                               &one, c, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    cudaGraphExec_t run = end(2);
    CHECK_LIBRARY(cublasDestroy(own));
    for (int i = 1; i <= 3; i++) {
        launch(run);
        CHECK_THAT(at(c, 0) == 2 * i * 19 && at(c, 1) == 2 * i * 43 && at(c, 2) == 2 * i * 22 &&
                   at(c, 3) == 2 * i * 50);
    }
    // In a graph that is recorded meanwhile nothing of it is kept twice.
    begin();
    CHECK_LIBRARY(cublasScopy(blas, 4, a, 1, c, 1));
    cudaStream_t other;
    CHECK_CALL(cudaStreamCreate(&other));
    CHECK_CALL(cudaGraphLaunch(run, other));
    CHECK_CALL(cudaGraphExecDestroy(run));
    run = end(1);
    CHECK_THAT(at(c, 0) == 8 * 19);
    launch(run);
    CHECK_THAT(at(c, 0) == 1 && at(c, 1) == 3);
    CHECK_CALL(cudaGraphExecDestroy(run));
}

// (1 2; 0 3) times a vector: by descriptors, which are gone when the graph is launched, and as older programs do.
static void products()
{
    int *offsets = on_device<int>({0, 2, 3}), *columns = on_device<int>({0, 1, 1});
    float *values = on_device<float>({1, 2, 3}), *x = on_device<float>({1, 10});
    float *y = on_device<float>({100, 100}), *z = on_device<float>({0, 0});
    float alpha = 2, beta = 1;
    size_t bytes = 0;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vector_x, vector_y;
    cusparseMatDescr_t general;
    CHECK_LIBRARY(cusparseCreateCsr(&a, 2, 2, 3, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    CHECK_LIBRARY(cusparseCreateDnVec(&vector_x, 2, x, CUDA_R_32F));
    CHECK_LIBRARY(cusparseCreateDnVec(&vector_y, 2, y, CUDA_R_32F));
    CHECK_LIBRARY(cusparseCreateMatDescr(&general));
    begin();
    CHECK_LIBRARY(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vector_x, &beta, vector_y,
                                          CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    CHECK_LIBRARY(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vector_x, &beta, vector_y, CUDA_R_32F,
                               CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    CHECK_LIBRARY(cusparseScsrmv(sparse, CUSPARSE_OPERATION_TRANSPOSE, 2, 2, 3, &alpha, general, values, offsets, columns, x,
                                 &beta, z));
    alpha = beta = 1000;
    cudaGraphExec_t run = end(2);
    CHECK_THAT(bytes > 0 && at(y, 0) == 100);
    CHECK_LIBRARY(cusparseDnVecSetValues(vector_y, x));
    CHECK_LIBRARY(cusparseDestroySpMat(a));
    CHECK_LIBRARY(cusparseDestroyDnVec(vector_x));
    CHECK_LIBRARY(cusparseDestroyDnVec(vector_y));
    CHECK_LIBRARY(cusparseDestroyMatDescr(general));
    for (int i = 1; i <= 3; i++) {
        launch(run);
        CHECK_THAT(at(y, 0) == 100 + i * 42 && at(y, 1) == 100 + i * 60);
        CHECK_THAT(at(z, 0) == i * 2 && at(z, 1) == i * 64);
    }
    put(x, 2); // arrays are read at the launch
    launch(run);
    CHECK_THAT(at(y, 0) == 226 + 44);
    CHECK_CALL(cudaGraphExecDestroy(run));
}

// Copies in the stream are nodes, too.
static void copies()
{
    float host[2] = {1, 2}, result[2] = {0, 0}, *x = on_device<float>({0, 0});
    const float two = 2;
    begin();
    CHECK_LIBRARY(cublasSetVectorAsync(2, sizeof(float), host, 1, x, 1, stream));
    CHECK_LIBRARY(cublasSscal(blas, 2, &two, x, 1));
    CHECK_LIBRARY(cublasGetMatrixAsync(1, 2, sizeof(float), x, 1, result, 1, stream));
    cudaGraphExec_t run = end(3);
    CHECK_THAT(at(x, 0) == 0 && result[0] == 0);
    host[1] = 7;
    launch(run);
    CHECK_THAT(result[0] == 2 && result[1] == 14);
    CHECK_CALL(cudaGraphExecDestroy(run));
}

// Numbers of all sizes: the largest scalars, and most arguments.
static void sizes()
{
    typedef cuDoubleComplex number;
    number *x = on_device<number>({make_cuDoubleComplex(1, 2)}), *y = on_device<number>({make_cuDoubleComplex(0, 0)});
    number alpha = make_cuDoubleComplex(0, 1), found;
    int *offsets = on_device<int>({0, 1}), *columns = on_device<int>({0});
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b, c;
    CHECK_LIBRARY(cusparseCreateCsr(&a, 1, 1, 1, offsets, columns, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_C_64F));
    CHECK_LIBRARY(cusparseCreateDnMat(&b, 1, 1, 1, x, CUDA_C_64F, CUSPARSE_ORDER_COL));
    CHECK_LIBRARY(cusparseCreateDnMat(&c, 1, 1, 1, y, CUDA_C_64F, CUSPARSE_ORDER_COL));
    begin();
    CHECK_LIBRARY(cublasZaxpy(blas, 1, &alpha, x, 1, y, 1));
    CHECK_LIBRARY(cusparseSpMM(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, b,
                               &alpha, c, CUDA_C_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    alpha = make_cuDoubleComplex(5, 5);
    cudaGraphExec_t run = end(2);
    launch(run); // y = i(1+2i) = -2+i; then i(1+2i)^2 + iy = -4-3i - 1-2i
    CHECK_CALL(cudaMemcpy(&found, y, sizeof found, cudaMemcpyDeviceToHost));
    CHECK_THAT(found.x == -5 && found.y == -5);
    CHECK_CALL(cudaGraphExecDestroy(run));
}

// A result on the host is refused when it is captured, and what is wrong with a call is told when it is made; a function's address is that of what programs call.
static void refused()
{
    float *x = on_device<float>({1, 2}), sum = 7;
    const float two = 2;
    cublasStatus_t (*function)(cublasHandle_t, int, const float *, float *, int) = &cublasSscal;
    begin();
    CHECK_THAT(cublasSasum(blas, 2, x, 1, &sum) == CUBLAS_STATUS_NOT_SUPPORTED && sum == 7);
    cudaGetLastError();
    CHECK_LIBRARY(function(blas, 2, &two, x, 1));
    CHECK_LIBRARY(cublasSgemv(blas, CUBLAS_OP_N, 2, 2, &two, x, 1, x, 1, &two, x, 1));
    cudaGraphExec_t run = end(2);
    CHECK_THAT(cudaGraphLaunch(run, stream) == cudaErrorLaunchFailure || cudaGetLastError() == cudaErrorLaunchFailure);
    CHECK_THAT(at(x, 0) == 2 && at(x, 1) == 4);
    CHECK_CALL(cudaGraphExecDestroy(run));
}

int main()
{
    CHECK_CALL(cudaStreamCreate(&stream));
    CHECK_LIBRARY(cublasCreate(&blas));
    CHECK_LIBRARY(cusparseCreate(&sparse));
    scalars();
    other_handle();
    products();
    copies();
    sizes();
    refused();
    CHECK_LIBRARY(cublasDestroy(blas));
    CHECK_LIBRARY(cusparseDestroy(sparse));
    printf("PASSED\n");
}

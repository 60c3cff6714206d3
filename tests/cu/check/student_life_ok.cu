// check: sm_60 nothing
// check: sm_90 nothing
// The corners are loaded too.
#include <cstdio>
#include <vector>

const int T = 8, N = 32;

// One step of the game of life on a board whose edges are joined.
__global__ void step(const int* now, int* next) {
    __shared__ int tile[T + 2][T + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * T + tx, y = blockIdx.y * T + ty;
    int left = (x + N - 1) % N, right = (x + 1) % N;
    int up = (y + N - 1) % N, down = (y + 1) % N;

    tile[ty + 1][tx + 1] = now[y * N + x];
    if (tx == 0) tile[ty + 1][0] = now[y * N + left];
    if (tx == T - 1) tile[ty + 1][T + 1] = now[y * N + right];
    if (ty == 0) tile[0][tx + 1] = now[up * N + x];
    if (ty == T - 1) tile[T + 1][tx + 1] = now[down * N + x];
    if (tx == 0 && ty == 0) tile[0][0] = now[up * N + left];
    if (tx == T - 1 && ty == 0) tile[0][T + 1] = now[up * N + right];
    if (tx == 0 && ty == T - 1) tile[T + 1][0] = now[down * N + left];
    if (tx == T - 1 && ty == T - 1) tile[T + 1][T + 1] = now[down * N + right];
    __syncthreads();

    int alive = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            if (dx != 1 || dy != 1)
                alive += tile[ty + dy][tx + dx];
    int self = now[y * N + x];
    next[y * N + x] = alive == 3 || (self && alive == 2);
}

int main() {
    std::vector<int> board(N * N, 0);
    board[1 * N + 2] = board[2 * N + 3] = 1;
    board[3 * N + 1] = board[3 * N + 2] = board[3 * N + 3] = 1;
    size_t bytes = board.size() * sizeof(int);
    int *a, *b;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemcpy(a, board.data(), bytes, cudaMemcpyHostToDevice);

    for (int k = 0; k < 2; k++) {
        step<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b);
        int* other = a;
        a = b;
        b = other;
    }

    cudaMemcpy(board.data(), a, bytes, cudaMemcpyDeviceToHost);
    int alive = 0;
    for (int c : board) alive += c;
    printf("%d cells alive\n", alive);
    cudaFree(a);
    cudaFree(b);
    return 0;
}

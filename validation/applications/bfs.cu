// Breadth-first search of a random graph in compressed rows: all vertices look whether they are on the
// frontier; a queue of the frontier; unvisited vertices look for a visited neighbour.
#include "common.h"

#define LEVELS 7

__global__ void bfs_all_vertices(const int *row, const int *column, int *level, int depth, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth)
        return;
    for (int e = row[v]; e < row[v + 1]; e++)
        if (level[column[e]] < 0)
            level[column[e]] = depth + 1;
}

// queue holds the vertices in the order in which they were found; ends[d] is where those of depth d begin.
__global__ void bfs_queue(const int *row, const int *column, int *level, int *queue, int *ends,
                          int depth)
{
    const int first = ends[depth], last = ends[depth + 1];
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last;
         i += gridDim.x * blockDim.x) {
        const int v = queue[i];
        for (int e = row[v]; e < row[v + 1]; e++)
            if (atomicCAS(&level[column[e]], -1, depth + 1) == -1)
                queue[last + atomicAdd(&ends[LEVELS + 2], 1)] = column[e];
    }
}

__global__ void bfs_next(int *ends, int depth)
{
    ends[depth + 2] = ends[depth + 1] + ends[LEVELS + 2];
    ends[LEVELS + 2] = 0;
}

__global__ void bfs_bottom_up(const int *row, const int *column, int *level, int depth, int n)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] >= 0)
        return;
    for (int e = row[v]; e < row[v + 1]; e++)
        if (level[column[e]] == depth) {
            level[v] = depth + 1;
            break;
        }
}

// Each vertex has the next one as a neighbour, both ways, and up to six random ones, both ways.
static void make_graph(int n, std::vector<int> &row, std::vector<int> &column)
{
    std::vector<std::vector<int>> to(n);
    for (int v = 0; v < n; v++)
        for (int e = 0; e < 1 + (int)(hash32(v) % 4); e++) {
            const int other = e ? (int)(hash32(v * 8 + e) % n) : (v + 1) % n;
            to[v].push_back(other);
            to[other].push_back(v);
        }
    row.assign(1, 0);
    for (int v = 0; v < n; v++) {
        column.insert(column.end(), to[v].begin(), to[v].end());
        row.push_back((int)column.size());
    }
}

static std::vector<int> reference(const std::vector<int> &row, const std::vector<int> &column,
                                  int n)
{
    std::vector<int> level(n, -1), queue(1, 0);
    level[0] = 0;
    for (size_t i = 0; i < queue.size() && level[queue[i]] < LEVELS; i++)
        for (int e = row[queue[i]]; e < row[queue[i] + 1]; e++)
            if (level[column[e]] < 0) {
                level[column[e]] = level[queue[i]] + 1;
                queue.push_back(column[e]);
            }
    return level;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 4096), rounds = argument(argc, argv, 2, 1);
    std::vector<int> row, column, start(n, -1), ends(LEVELS + 3, 0);
    make_graph(n, row, column);
    start[0] = 0;
    ends[1] = 1;
    int *drow = to_device(row), *dcolumn = to_device(column), *dstart = to_device(start);
    int *dends = to_device(ends), *level = to_device(start), *queue = device_zeros<int>(n);
    int *by_queue = to_device(start), *ends_now = to_device(ends), *bottom_up = to_device(start);
    const int blocks = ceil_div(n, 256);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<blocks, 256>>>(level, dstart, n);
        copy_array<<<blocks, 256>>>(by_queue, dstart, n);
        copy_array<<<blocks, 256>>>(bottom_up, dstart, n);
        copy_array<<<1, 32>>>(ends_now, dends, LEVELS + 3);
        for (int depth = 0; depth < LEVELS; depth++)
            bfs_all_vertices<<<blocks, 256>>>(drow, dcolumn, level, depth, n);
        for (int depth = 0; depth < LEVELS; depth++) {
            bfs_queue<<<264, 128>>>(drow, dcolumn, by_queue, queue, ends_now, depth);
            bfs_next<<<1, 1>>>(ends_now, depth);
        }
        for (int depth = 0; depth < LEVELS; depth++)
            bfs_bottom_up<<<blocks, 256>>>(drow, dcolumn, bottom_up, depth, n);
    }
    const std::vector<int> want = reference(row, column, n);
    expect("bfs_all_vertices", level, want);
    expect("bfs_queue", by_queue, want);
    expect("bfs_bottom_up", bottom_up, want);
    return verdict();
}

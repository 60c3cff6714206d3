// Sparse matrices, graphs, strings, trees.

//@ spmvCsr<<<1, 16>>> rows:int[17]=ramp3 columns:int[48]=rand16 values:float[48]=rand10 x:float[16]=mod5 y:float[16]=zero n=16
__global__ void spmvCsr(const int *rows, const int *columns, const float *values, const float *x, float *y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float dot = 0;
        int start = rows[row], end = rows[row + 1];
        for (int j = start; j < end; j++)
            dot += values[j] * x[columns[j]];
        y[row] += dot;
    }
}

//@ spmvCsrMemory<<<1, 16>>> rows:int[17]=ramp3 columns:int[48]=rand16 values:float[48]=rand10 x:float[16]=mod5 y:float[16]=zero
__global__ void spmvCsrMemory(int *rows, int *columns, float *values, float *x, float *y) {
    int i = threadIdx.x;
    for (int j = rows[i]; j < rows[i + 1]; j++)
        y[i] += values[j] * x[columns[j]];
}

//@ spmvCsrWarp<<<2, 64>>> rows:int[5]=ramp40 columns:int[160]=rand16 values:float[160]=rand10 x:float[16]=mod5 y:float[4]=zero
__global__ void spmvCsrWarp(const int *rows, const int *columns, const float *values, const float *x, float *y) {
    int thread = blockDim.x * blockIdx.x + threadIdx.x, row = thread / 32, lane = thread & 31;
    float sum = 0;
    for (int j = rows[row] + lane; j < rows[row + 1]; j += 32)
        sum += values[j] * x[columns[j]];
    for (int offset = 16; offset; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

//@ spmvEll<<<1, 16>>> columns:int[64]=rand16 values:float[64]=rand3 x:float[16]=mod5 y:float[16]=zero n=16 width=4
__global__ void spmvEll(const int *columns, const float *values, const float *x, float *y, int n, int width) {
    int row = threadIdx.x;
    float dot = 0;
    for (int k = 0; k < width; k++) {
        int column = columns[n * k + row];
        float value = values[n * k + row];
        if (value != 0)
            dot += value * x[column];
    }
    y[row] = dot;
}

//@ spmvCoo<<<2, 32>>> rows:int[64]=rand16 columns:int[64]=rand16 values:float[64]=rand10 x:float[16]=mod5 y:float[16]=zero n=60
__global__ void spmvCoo(const int *rows, const int *columns, const float *values, const float *x, float *y, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}

//@ bfsLevel<<<1, 32>>> offsets:int[33]=ramp2 edges:int[64]=rand32 level:int[32]={-1,0,-1,-1,-1,0,-1,-1,0,-1} changed:int[1]=zero now=0
__global__ void bfsLevel(const int *offsets, const int *edges, int *level, int *changed, int now) {
    int v = threadIdx.x;
    if (level[v] == now)
        for (int e = offsets[v]; e < offsets[v + 1]; e++) {
            int to = edges[e];
            if (level[to] == -1) {
                level[to] = now + 1;
                *changed = 1;
            }
        }
}

//@ relaxEdges<<<1, 32>>> from:int[32]=mod5 to:int[32]=rand16 weight:int[32]=rand20 distance:int[16]={0,40,900,35,1000}
__global__ void relaxEdges(const int *from, const int *to, const int *weight, int *distance) {
    int e = threadIdx.x, d = weight[e] + 100;
    if (from[e] != to[e])
        atomicMin(&distance[to[e]], d);
}

//@ pageRankPull<<<1, 16>>> offsets:int[17]=ramp3 sources:int[48]=rand16 degree:int[16]=mod4 rank:float[16]=mod7 next:float[16]=zero
__global__ void pageRankPull(const int *offsets, const int *sources, const int *degree, const float *rank, float *next) {
    int v = threadIdx.x;
    float sum = 0;
    for (int e = offsets[v]; e < offsets[v + 1]; e++)
        sum += rank[sources[e]] / (1 + degree[sources[e]]);
    next[v] = 0.15f + 0.85f * sum;
}

//@ findRoot<<<1, 32>>> parent:int[32]={0,0,1,2,3,4,5,6,7,8,9,10,3} out:int[32]=zero
__global__ void findRoot(const int *parent, int *out) {
    int at = threadIdx.x;
    while (parent[at] != at)
        at = parent[at];
    out[threadIdx.x] = at;
}

struct Item {
    Item *next;
    int value;
};

//@ linkList<<<1, 32>>> items:ll[64](Item)=zero out:int[32]=zero
__global__ void linkList(Item *items, int *out) {
    int t = threadIdx.x;
    items[t].value = t * t;
    items[t].next = t % 8 == 7 ? nullptr : &items[t + 1];
    __syncthreads();
    int sum = 0;
    for (Item *at = &items[t]; at; at = at->next)
        sum += at->value;
    __syncthreads();
    items[t].next = nullptr;
    out[t] = sum;
}

//@ binarySearch<<<1, 32>>> sorted:int[64]=ramp7 keys:int[32]=rand450 where:int[32]=zero n=64
__global__ void binarySearch(const int *sorted, const int *keys, int *where, int n) {
    int key = keys[threadIdx.x], low = 0, high = n - 1, found = -1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key) {
            found = middle;
            break;
        }
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    where[threadIdx.x] = found;
}

//@ lowerBound<<<1, 32>>> sorted:float[50]=ramp3 keys:float[32]=rand150 where:int[32]=zero n=50
__global__ void lowerBound(const float *sorted, const float *keys, int *where, int n) {
    const float *first = sorted;
    int count = n;
    while (count > 0) {
        int step = count / 2;
        if (first[step] < keys[threadIdx.x]) {
            first += step + 1;
            count -= step + 1;
        } else
            count = step;
    }
    where[threadIdx.x] = first - sorted;
}

//@ stringMatch<<<1, 32>>> text:char[40]=mod3 pattern:char[4]={1,2,0,1} found:int[32]=zero m=4
__global__ void stringMatch(const char *text, const char *pattern, int *found, int m) {
    int i = threadIdx.x, j;
    for (j = 0; j < m; j++)
        if (text[i + j] != pattern[j])
            break;
    found[i] = j == m;
}

//@ stringLength<<<1, 16>>> text:char[300]={65,66,0,67,65,65,65,0,65,65,0} lengths:int[16]=zero
__global__ void stringLength(const char *text, int *lengths) {
    const char *p = text + threadIdx.x / 2;
    int n = 0;
    while (*p++)
        n++;
    lengths[threadIdx.x] = n;
}

//@ countWords<<<1, 32>>> text:char[64]={65,32,66,66,32,32,67,65,32,70,32,65} count:int[1]=zero
__global__ void countWords(const char *text, int *count) {
    int i = threadIdx.x + 1;
    if (text[i] != ' ' && text[i - 1] == ' ')
        atomicAdd(count, 1);
}

//@ editDistance<<<1, 8>>> a:char[64]=mod5 b:char[8]=mod3 out:int[8]=zero
__global__ void editDistance(const char *a, const char *b, int *out) {
    __shared__ int rows[8][9];
    int *row = rows[threadIdx.x];
    for (int j = 0; j <= 8; j++)
        row[j] = j;
    for (int i = 1; i <= 8; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= 8; j++) {
            int change = diagonal + (a[threadIdx.x * 8 + i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = min(change, min(row[j], row[j - 1]) + 1);
        }
    }
    out[threadIdx.x] = row[8];
}

//@ hashInsert<<<1, 16>>> keys:int[16]=ramp37 table:int[64]=zero
__global__ void hashInsert(const int *keys, int *table) {
    int key = keys[threadIdx.x] + 1;
    unsigned slot = key * 37u % 64;
    while (true) {
        int old = atomicCAS(&table[slot], 0, key);
        if (old == 0 || old == key)
            return;
        slot = (slot + 1) % 64;
    }
}

//@ gather<<<2, 32>>> index:int[64]=rand64 in:float[64]=ramp out:float[64]=zero
__global__ void gather(const int *__restrict__ index, const float *__restrict__ in, float *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}

//@ scatterPermutation<<<1, 32>>> in:float[32]=ramp out:float[32]=zero
__global__ void scatterPermutation(const float *in, float *out) {
    int i = threadIdx.x;
    out[(i * 5 + 3) % 32] = in[i];
}

//@ treeDescend<<<1, 32>>> feature:int[15]=mod4 limit:float[15]=rand9 x:float[128]=rand10 leaf:int[32]=zero
__global__ void treeDescend(const int *feature, const float *limit, const float *x, int *leaf) {
    int node = 0;
    for (int depth = 0; depth < 3; depth++)
        node = 2 * node + (x[threadIdx.x * 4 + feature[node]] <= limit[node] ? 1 : 2);
    leaf[threadIdx.x] = node;
}

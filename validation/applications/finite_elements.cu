// Linear triangles on an unstructured mesh: the elements' matrices; the operator without a matrix (by atomics,
// colour by colour, by patches in shared memory) or from the stored ones by the elements around a node; the assembly.
#include "common.h"
#include <utility>

#define PATCH 128

// The six different entries of an element's matrix: 00, 11, 22, 01, 12, 20.
struct Element {
    float a, b, c, ab, bc, ca;
};

// Of the edges opposite to the corners: matrix entry ij is k e_i e_j / (4 area).
__device__ inline Element stiffness(float2 p, float2 q, float2 r, float conductivity)
{
    const float2 e = make_float2(r.x - q.x, r.y - q.y), f = make_float2(p.x - r.x, p.y - r.y),
                 g = make_float2(q.x - p.x, q.y - p.y);
    const float scale = 0.5f * conductivity / fabsf(f.x * g.y - f.y * g.x);
    Element m;
    m.a = scale * (e.x * e.x + e.y * e.y);
    m.b = scale * (f.x * f.x + f.y * f.y);
    m.c = scale * (g.x * g.x + g.y * g.y);
    m.ab = scale * (e.x * f.x + e.y * f.y);
    m.bc = scale * (f.x * g.x + f.y * g.y);
    m.ca = scale * (g.x * e.x + g.y * e.y);
    return m;
}

// A thread an element: gathers its corners, stores its matrix, entry k of all elements together.
__global__ void element_matrices(const int *corners, const float2 *points,
                                 const float *conductivity, float *matrices, int elements)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    const Element m = stiffness(points[corners[3 * e]], points[corners[3 * e + 1]],
                                points[corners[3 * e + 2]], conductivity[e]);
    matrices[e] = m.a;
    matrices[elements + e] = m.b;
    matrices[2 * elements + e] = m.c;
    matrices[3 * elements + e] = m.ab;
    matrices[4 * elements + e] = m.bc;
    matrices[5 * elements + e] = m.ca;
}

// A thread an element: its matrix is computed again, its three results are added by atomics.
__global__ void apply_atomic(const int *__restrict__ corners, const float2 *__restrict__ points,
                             const float *__restrict__ conductivity, const float *__restrict__ u,
                             float *__restrict__ out, int elements)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    const int i = corners[3 * e], j = corners[3 * e + 1], k = corners[3 * e + 2];
    const Element m = stiffness(points[i], points[j], points[k], conductivity[e]);
    const float a = u[i], b = u[j], c = u[k];
    atomicAdd(&out[i], m.a * a + m.ab * b + m.ca * c);
    atomicAdd(&out[j], m.ab * a + m.b * b + m.bc * c);
    atomicAdd(&out[k], m.ca * a + m.bc * b + m.c * c);
}

// The elements of one colour have no node in common: no atomics. Corners come as int4, with the element's number.
__global__ void apply_colour(const int4 *__restrict__ coloured, const float2 *__restrict__ points,
                             const float *__restrict__ conductivity, const float *__restrict__ u,
                             float *out, int count)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count)
        return;
    const int4 n = coloured[e];
    const Element m = stiffness(points[n.x], points[n.y], points[n.z], conductivity[n.w]);
    const float a = u[n.x], b = u[n.y], c = u[n.z];
    out[n.x] += m.a * a + m.ab * b + m.ca * c;
    out[n.y] += m.ab * a + m.b * b + m.bc * c;
    out[n.z] += m.ca * a + m.bc * b + m.c * c;
}

// A block PATCH elements: their nodes come to shared memory once, and the sums go out once a node.
__global__ void __launch_bounds__(PATCH)
    apply_patch(const ushort4 *__restrict__ local, const int *__restrict__ patch_start,
                const int *__restrict__ patch_nodes, const float2 *__restrict__ points,
                const float *__restrict__ conductivity, const float *__restrict__ u,
                float *__restrict__ out, int elements)
{
    __shared__ float2 place[3 * PATCH];
    __shared__ float value[3 * PATCH], sum[3 * PATCH];
    const int first = patch_start[blockIdx.x], nodes = patch_start[blockIdx.x + 1] - first;
    for (int k = threadIdx.x; k < nodes; k += PATCH) {
        const int node = patch_nodes[first + k];
        place[k] = points[node];
        value[k] = u[node];
        sum[k] = 0.0f;
    }
    __syncthreads();
    const int e = blockIdx.x * PATCH + threadIdx.x;
    if (e < elements) {
        const ushort4 n = local[e];
        const Element m = stiffness(place[n.x], place[n.y], place[n.z], conductivity[e]);
        const float a = value[n.x], b = value[n.y], c = value[n.z];
        atomicAdd(&sum[n.x], m.a * a + m.ab * b + m.ca * c);
        atomicAdd(&sum[n.y], m.ab * a + m.b * b + m.bc * c);
        atomicAdd(&sum[n.z], m.ca * a + m.bc * b + m.c * c);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < nodes; k += PATCH)
        atomicAdd(&out[patch_nodes[first + k]], sum[k]);
}

// A thread a node: goes through the elements around it (4 * element + corner) with their stored matrices.
__global__ void apply_by_node(const int *__restrict__ node_start, const int *__restrict__ around,
                              const int *__restrict__ corners, const float *__restrict__ matrices,
                              const float *__restrict__ u, float *__restrict__ out, int nodes,
                              int elements)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    const int end = node_start[node + 1];
    float sum = 0.0f, own = u[node];
    for (int k = node_start[node]; k < end; k++) {
        const int e = around[k] / 4, c = around[k] % 4, next = c == 2 ? 0 : c + 1,
                  last = 3 - c - next;
        sum += matrices[c * elements + e] * own;
        sum += matrices[(3 + c) * elements + e] * u[corners[3 * e + next]];
        sum += matrices[(3 + last) * elements + e] * u[corners[3 * e + last]];
    }
    out[node] = sum;
}

// A thread an element: adds its nine entries to the assembled matrix, at places that the mesh fixes once.
__global__ void assemble(const float *__restrict__ matrices, const int *__restrict__ places,
                         float *__restrict__ values, int elements)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    float m[6];
#pragma unroll
    for (int k = 0; k < 6; k++)
        m[k] = matrices[k * elements + e];
#pragma unroll
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        atomicAdd(&values[places[k * elements + e]], i == j ? m[i] : m[3 + (4 - i - j) % 3]);
    }
}

// Nodes and elements are numbered by tiles of 8 x 8, in any order within.
static long long mixed_order(int x, int y, int size, int k)
{
    return ((long long)(y / 8 * (size / 8 + 1) + x / 8) << 32) + hash32(k);
}

int main(int argc, char **argv)
{
    // size x size squares of two triangles each, their corners moved a little.
    const int size = argument(argc, argv, 1, 24), rounds = argument(argc, argv, 2, 1),
              across = size + 1, nodes = across * across, elements = 2 * size * size;
    std::vector<std::pair<long long, int>> order(nodes), element_order(elements);
    for (int k = 0; k < nodes; k++)
        order[k] = {mixed_order(k % across, k / across, size, k), k};
    for (int e = 0; e < elements; e++)
        element_order[e] = {mixed_order(e / 2 % size, e / 2 / size, size, e + 7), e};
    std::sort(order.begin(), order.end());
    std::sort(element_order.begin(), element_order.end());
    std::vector<int> number(nodes), corners(3 * (size_t)elements), places(9 * (size_t)elements),
        node_start(1), around, row_start(1), patch_start(1), patch_nodes, in_patch(nodes, -1),
        slot(nodes), colour_start(1);
    std::vector<unsigned> used(nodes);
    std::vector<float2> points(nodes);
    std::vector<ushort4> local(elements);
    std::vector<std::vector<int>> node_elements(nodes), columns(nodes);
    std::vector<std::vector<int4>> colours;
    std::vector<int4> coloured;
    const std::vector<float> u = units(nodes, 1), conductivity = units(elements, 2);
    for (int n = 0; n < nodes; n++) {
        const int k = order[n].second;
        number[k] = n;
        points[n] = make_float2(k % across + 0.4f * unit(k + 5), k / across + 0.4f * unit(~k));
    }
    for (int e = 0; e < elements; e++) {
        const int k = element_order[e].second, at = k / 2 / size * across + k / 2 % size;
        const int three[3] = {number[at], number[k % 2 ? at + across + 1 : at + 1],
                              number[k % 2 ? at + across : at + across + 1]};
        unsigned short slots[3];
        unsigned taken = 0, colour = 0;
        for (int c = 0; c < 3; c++) {
            const int n = corners[3 * e + c] = three[c];
            node_elements[n].push_back(4 * e + c);
            columns[n].insert(columns[n].end(), three, three + 3);
            taken |= used[n];
            if (in_patch[n] != e / PATCH) {
                in_patch[n] = e / PATCH;
                slot[n] = (int)patch_nodes.size() - patch_start.back();
                patch_nodes.push_back(n);
            }
            slots[c] = (unsigned short)slot[n];
        }
        local[e] = make_ushort4(slots[0], slots[1], slots[2], 0);
        while (taken >> colour & 1)
            colour++;
        for (int c = 0; c < 3; c++)
            used[three[c]] |= 1u << colour;
        if (colour == colours.size())
            colours.push_back({});
        colours[colour].push_back(make_int4(three[0], three[1], three[2], e));
        if (e % PATCH == PATCH - 1 || e == elements - 1)
            patch_start.push_back((int)patch_nodes.size());
    }
    for (int n = 0; n < nodes; n++) {
        around.insert(around.end(), node_elements[n].begin(), node_elements[n].end());
        node_start.push_back((int)around.size());
        std::sort(columns[n].begin(), columns[n].end());
        columns[n].erase(std::unique(columns[n].begin(), columns[n].end()), columns[n].end());
        row_start.push_back(row_start[n] + (int)columns[n].size());
    }
    for (const std::vector<int4> &colour : colours) {
        coloured.insert(coloured.end(), colour.begin(), colour.end());
        colour_start.push_back((int)coloured.size());
    }
    // What is expected, from the gradients of the three linear functions.
    std::vector<double> sums(nodes), entries(row_start[nodes]);
    std::vector<float> want_matrices(6 * (size_t)elements);
    for (int e = 0; e < elements; e++) {
        const int *n = &corners[3 * e];
        const double px = points[n[0]].x, py = points[n[0]].y, qx = points[n[1]].x - px,
                     qy = points[n[1]].y - py, rx = points[n[2]].x - px, ry = points[n[2]].y - py,
                     det = qx * ry - qy * rx;
        const double gx[3] = {(qy - ry) / det, ry / det, -qy / det},
                     gy[3] = {(rx - qx) / det, -rx / det, qx / det};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double entry = conductivity[e] * det / 2 * (gx[i] * gx[j] + gy[i] * gy[j]);
                const std::vector<int> &row = columns[n[i]];
                const int place =
                    row_start[n[i]] +
                    (int)(std::lower_bound(row.begin(), row.end(), n[j]) - row.begin());
                places[(3 * i + j) * elements + e] = place;
                entries[place] += entry;
                sums[n[i]] += entry * u[n[j]];
                want_matrices[(i == j ? i : 3 + (4 - i - j) % 3) * elements + e] = (float)entry;
            }
    }
    const std::vector<float> want(sums.begin(), sums.end()),
        want_values(entries.begin(), entries.end());
    const int *dcorners = to_device(corners), *dplaces = to_device(places),
              *dpatch_start = to_device(patch_start), *dpatch_nodes = to_device(patch_nodes),
              *dnode_start = to_device(node_start), *daround = to_device(around);
    const float2 *dpoints = to_device(points);
    const float *dk = to_device(conductivity), *du = to_device(u);
    const ushort4 *dlocal = to_device(local);
    const int4 *dcoloured = to_device(coloured);
    const int value_count = row_start[nodes], blocks = ceil_div(elements, PATCH);
    float *matrices = device_zeros<float>(6 * (size_t)elements),
          *values = device_zeros<float>(value_count), *out[4];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<float>(nodes);
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < 3; k++)
            fill_array<<<ceil_div(nodes, 256), 256>>>(out[k], 0.0f, nodes);
        fill_array<<<ceil_div(value_count, 256), 256>>>(values, 0.0f, value_count);
        element_matrices<<<blocks, 128>>>(dcorners, dpoints, dk, matrices, elements);
        apply_atomic<<<blocks, 128>>>(dcorners, dpoints, dk, du, out[0], elements);
        for (size_t c = 0; c + 1 < colour_start.size(); c++) {
            const int count = colour_start[c + 1] - colour_start[c];
            apply_colour<<<ceil_div(count, 128), 128>>>(dcoloured + colour_start[c], dpoints, dk,
                                                        du, out[1], count);
        }
        apply_patch<<<blocks, PATCH>>>(dlocal, dpatch_start, dpatch_nodes, dpoints, dk, du, out[2],
                                       elements);
        apply_by_node<<<ceil_div(nodes, 128), 128>>>(dnode_start, daround, dcorners, matrices, du,
                                                     out[3], nodes, elements);
        assemble<<<blocks, 128>>>(matrices, dplaces, values, elements);
    }
    expect("element_matrices", matrices, want_matrices, 1e-4);
    expect("apply_atomic", out[0], want, 1e-4);
    expect("apply_colour", out[1], want, 1e-4);
    expect("apply_patch", out[2], want, 1e-4);
    expect("apply_by_node", out[3], want, 1e-4);
    expect("assemble", values, want_values, 1e-4);
    return verdict();
}

// Rays against triangles in a tree of boxes with both children's boxes in a node: a stack in local memory, the nearer
// child first, a stack of a few entries with restarts, and packets of 32 rays.
#include "common.h"

#define FAR 100.0f
#define STACK 32
#define LEAF 4
#define BLOCK 128

// Both children's boxes; a child >= 0 is a node, else ~(first * 8 + count) of its triangles.
struct Node {
    float4 xy[2], z; // low x, high x, low y, high y of each; low z, high z, low z, high z
    int4 child;      // left, right
};

struct Ray {
    float3 origin, direction, inverse;
};

// Where the ray enters the box, or FAR if it does not before limit.
__device__ inline float enter(const Ray &ray, float lx, float hx, float ly, float hy, float lz,
                              float hz, float limit)
{
    const float ax = (lx - ray.origin.x) * ray.inverse.x, bx = (hx - ray.origin.x) * ray.inverse.x,
                ay = (ly - ray.origin.y) * ray.inverse.y, by = (hy - ray.origin.y) * ray.inverse.y,
                az = (lz - ray.origin.z) * ray.inverse.z, bz = (hz - ray.origin.z) * ray.inverse.z;
    const float in = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), 0.0f));
    const float out = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(az, bz), limit));
    return in <= out ? in : FAR;
}

__device__ inline float enter_child(const Ray &ray, const Node &node, int side, float limit)
{
    const float4 b = node.xy[side];
    return enter(ray, b.x, b.y, b.z, b.w, side ? node.z.z : node.z.x, side ? node.z.w : node.z.y,
                 limit);
}

// The nearest of limit and a leaf's triangles: a corner and two edges each.
__device__ inline float hit_leaf(const Ray &ray, const float4 *__restrict__ triangles, int leaf,
                                 float limit)
{
    const int first = ~leaf / 8, count = ~leaf % 8;
    for (int k = first; k < first + count; k++) {
        const float4 a = triangles[3 * k], e = triangles[3 * k + 1], f = triangles[3 * k + 2];
        const float3 d = ray.direction,
                     p = make_float3(d.y * f.z - d.z * f.y, d.z * f.x - d.x * f.z,
                                     d.x * f.y - d.y * f.x),
                     s = make_float3(ray.origin.x - a.x, ray.origin.y - a.y, ray.origin.z - a.z),
                     q = make_float3(s.y * e.z - s.z * e.y, s.z * e.x - s.x * e.z,
                                     s.x * e.y - s.y * e.x);
        const float inverse = 1.0f / (e.x * p.x + e.y * p.y + e.z * p.z),
                    u = (s.x * p.x + s.y * p.y + s.z * p.z) * inverse,
                    v = (d.x * q.x + d.y * q.y + d.z * q.z) * inverse,
                    t = (f.x * q.x + f.y * q.y + f.z * q.z) * inverse;
        if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t > 0.0f && t < limit)
            limit = t;
    }
    return limit;
}

// The ray through a pixel of size x size, from a point before the unit cube.
__host__ __device__ inline float3 pixel_direction(int x, int y, int size)
{
    return make_float3((x + 0.5f) / size - 0.5f + 0.00137f, (y + 0.5f) / size - 0.5f + 0.00071f,
                       1.0f);
}

__device__ inline Ray camera_ray(int x, int y, int size)
{
    Ray ray;
    ray.origin = make_float3(0.5f, 0.5f, -1.0f);
    ray.direction = pixel_direction(x, y, size);
    ray.inverse = make_float3(1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f);
    return ray;
}

// Left before right, whichever is nearer; the stack holds nodes and leaves.
__global__ void trace_plain(const Node *nodes, const float4 *triangles, float *distance, int size)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size * size)
        return;
    const Ray ray = camera_ray(i % size, i / size, size);
    int stack[STACK], top = 0;
    float nearest = FAR;
    stack[top++] = 0;
    while (top > 0) {
        const int at = stack[--top];
        if (at < 0) {
            nearest = hit_leaf(ray, triangles, at, nearest);
            continue;
        }
        const Node node = nodes[at];
        if (enter_child(ray, node, 1, nearest) < FAR)
            stack[top++] = node.child.y;
        if (enter_child(ray, node, 0, nearest) < FAR)
            stack[top++] = node.child.x;
    }
    distance[i] = nearest;
}

// The nearer child at once, the other on the stack; warps are 8 x 4 pixels.
__global__ void __launch_bounds__(BLOCK)
    trace_ordered(const Node *__restrict__ nodes, const float4 *__restrict__ triangles,
                  float *__restrict__ distance, int size)
{
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= size || y >= size)
        return;
    const Ray ray = camera_ray(x, y, size);
    int stack[STACK], top = 0, at = 0;
    float nearest = FAR;
    while (true) {
        if (at >= 0) {
            const Node node = nodes[at];
            const float left = enter_child(ray, node, 0, nearest),
                        right = enter_child(ray, node, 1, nearest);
            const bool swap = right < left;
            if (fmaxf(left, right) < FAR)
                stack[top++] = swap ? node.child.x : node.child.y;
            if (fminf(left, right) < FAR) {
                at = swap ? node.child.y : node.child.x;
                continue;
            }
        } else {
            nearest = hit_leaf(ray, triangles, at, nearest);
        }
        if (top == 0)
            break;
        at = stack[--top];
    }
    distance[y * size + x] = nearest;
}

// A stack of SHORT entries in shared memory that forgets the oldest; when it is empty the ray starts at the root again
// and follows its trail: a bit a level, set where the nearer child is done.
template <int SHORT>
__global__ void __launch_bounds__(BLOCK)
    trace_short_stack(const Node *__restrict__ nodes, const float4 *__restrict__ triangles,
                      float *__restrict__ distance, int size)
{
    __shared__ int stack[SHORT][BLOCK];
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y,
              t = threadIdx.y * 8 + threadIdx.x;
    if (x >= size || y >= size)
        return;
    const Ray ray = camera_ray(x, y, size);
    unsigned trail = 0, level = 1u << 30, pop_level = 0;
    int at = 0, held = 0, top = 0;
    float nearest = FAR;
    while (true) {
        if (at >= 0) {
            const Node node = nodes[at];
            const float left = enter_child(ray, node, 0, nearest),
                        right = enter_child(ray, node, 1, nearest);
            const bool swap = right < left;
            const int near = swap ? node.child.y : node.child.x,
                      other = swap ? node.child.x : node.child.y;
            const unsigned below = level >> 1;
            if (fmaxf(left, right) < FAR) {
                level = below;
                if (trail & below) {
                    at = other;
                } else {
                    stack[top][t] = other;
                    top = (top + 1) % SHORT;
                    held = min(held + 1, SHORT);
                    at = near;
                }
                continue;
            }
            // With one child left, it is the nearer one, and done if the trail was to go to the other here.
            if (fminf(left, right) < FAR && below != pop_level) {
                level = below;
                trail |= below;
                at = near;
                continue;
            }
        } else {
            nearest = hit_leaf(ray, triangles, at, nearest);
        }
        trail &= ~(level - 1);
        trail += level;
        if (trail >> 30)
            break;
        pop_level = trail & (~trail + 1);
        if (held > 0) {
            held--;
            top = (top + SHORT - 1) % SHORT;
            at = stack[top][t];
            level = pop_level;
        } else {
            at = 0;
            level = 1u << 30;
        }
    }
    distance[y * size + x] = nearest;
}

// The 32 rays of a warp go together: what one of them enters all do, from one stack in shared memory.
__global__ void __launch_bounds__(BLOCK)
    trace_packet(const Node *__restrict__ nodes, const float4 *__restrict__ triangles,
                 float *__restrict__ distance, int size)
{
    __shared__ int stacks[BLOCK / 32][STACK];
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int *stack = stacks[threadIdx.y / 4];
    const Ray ray = camera_ray(x, y, size);
    const bool live = x < size && y < size, first = (threadIdx.y * 8 + threadIdx.x) % 32 == 0;
    float nearest = live ? FAR : -1.0f;
    int top = 0, at = 0;
    while (true) {
        if (at >= 0) {
            const Node node = nodes[at];
            const float left = enter_child(ray, node, 0, nearest),
                        right = enter_child(ray, node, 1, nearest);
            const unsigned to_left = __ballot_sync(0xffffffffu, left < FAR),
                           to_right = __ballot_sync(0xffffffffu, right < FAR),
                           nearer = __ballot_sync(0xffffffffu, right < left);
            if (to_left && to_right) {
                const bool swap = 2 * __popc(nearer) > __popc(to_left | to_right);
                if (first)
                    stack[top] = swap ? node.child.x : node.child.y;
                __syncwarp();
                top++;
                at = swap ? node.child.y : node.child.x;
                continue;
            }
            if (to_left || to_right) {
                at = to_left ? node.child.x : node.child.y;
                continue;
            }
        } else {
            nearest = hit_leaf(ray, triangles, at, nearest);
        }
        if (top == 0)
            break;
        at = stack[--top];
        __syncwarp();
    }
    if (live)
        distance[y * size + x] = nearest;
}

struct Builder {
    std::vector<float> points; // nine a triangle
    std::vector<int> order;
    std::vector<Node> nodes;

    // Low and high of each axis, a little apart, so that rounding loses no triangle. An empty box is far away.
    std::vector<float> box(int first, int count) const
    {
        std::vector<float> b(6, 1e30f);
        for (int k = 0; k < 9 * count; k++) {
            const float p = points[9 * order[first + k / 9] + k % 9];
            const int low = 2 * (k % 3);
            b[low] = k < 3 ? p - 1e-5f : std::min(b[low], p - 1e-5f);
            b[low + 1] = k < 3 ? p + 1e-5f : std::max(b[low + 1], p + 1e-5f);
        }
        return b;
    }

    // A leaf, or a node whose halves are split at the median of the widest axis. The root is a node in any case.
    int build(int first, int count, bool root)
    {
        if (count <= LEAF && !root)
            return ~(8 * first + count);
        const std::vector<float> all = box(first, count);
        int axis = 0, half = count <= LEAF ? count : count / 2;
        for (int a = 1; a < 3; a++)
            if (all[2 * a + 1] - all[2 * a] > all[2 * axis + 1] - all[2 * axis])
                axis = a;
        if (half < count)
            std::nth_element(
                order.begin() + first, order.begin() + first + half, order.begin() + first + count,
                [&](int a, int b) { return points[9 * a + axis] < points[9 * b + axis]; });
        const int at = (int)nodes.size(), starts[2] = {first, first + half},
                  counts[2] = {half, count - half};
        nodes.push_back(Node());
        Node node = {};
        for (int side = 0; side < 2; side++) {
            const std::vector<float> b = box(starts[side], counts[side]);
            node.xy[side] = make_float4(b[0], b[1], b[2], b[3]);
            (side ? node.z.z : node.z.x) = b[4];
            (side ? node.z.w : node.z.y) = b[5];
            (side ? node.child.y : node.child.x) = build(starts[side], counts[side], false);
        }
        nodes[at] = node;
        return at;
    }
};

// Every distance is between those to the triangles made a little larger and a little smaller.
static void expect_between(const char *what, const float *device, const std::vector<float> &least,
                           const std::vector<float> &most)
{
    const std::vector<float> got = to_host(device, least.size());
    for (size_t i = 0; i < got.size(); i++) {
        if (got[i] >= least[i] - 1e-3f && got[i] <= most[i] + 1e-3f)
            continue;
        printf("%s: ray %zu has %g, not %g to %g\n", what, i, got[i], least[i], most[i]);
        wrong_arrays++;
        return;
    }
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 32), rounds = argument(argc, argv, 2, 1),
              rays = size * size, count = std::max(rays / 4, 1);
    const float extent = 1.0f / cbrtf((float)count);
    Builder tree;
    for (int i = 0; i < 9 * count; i++) {
        const float middle = unit(i / 9 * 3 + i % 3) * (1 - extent);
        tree.points.push_back(middle + extent * unit(i + 0x10000000));
    }
    for (int i = 0; i < count; i++)
        tree.order.push_back(i);
    tree.build(0, count, true);
    std::vector<float4> triangles;
    for (int i : tree.order) {
        const float *p = &tree.points[9 * i];
        triangles.push_back(make_float4(p[0], p[1], p[2], 0));
        triangles.push_back(make_float4(p[3] - p[0], p[4] - p[1], p[5] - p[2], 0));
        triangles.push_back(make_float4(p[6] - p[0], p[7] - p[1], p[8] - p[2], 0));
    }
    // What is expected: each triangle against the rays of the pixels that it may cover.
    std::vector<float> least(rays, FAR), most(rays, FAR);
    for (int i = 0; i < count; i++) {
        const float *p = &tree.points[9 * i];
        double box[4] = {1e9, -1e9, 1e9, -1e9}, m[3][3];
        for (int c = 0; c < 3; c++)
            for (int a = 0; a < 2; a++) {
                const double at = (p[3 * c + a] - 0.5) / (p[3 * c + 2] + 1.0) * size + size / 2.0;
                box[2 * a] = std::min(box[2 * a], at - 2);
                box[2 * a + 1] = std::max(box[2 * a + 1], at + 2);
            }
        for (int c = 0; c < 3; c++)
            for (int a = 0; a < 3; a++)
                m[c][a] = p[3 * c + a] - (a < 2 ? 0.5 : -1.0);
        for (int y = std::max((int)box[2], 0); y < std::min((int)box[3], size); y++)
            for (int x = std::max((int)box[0], 0); x < std::min((int)box[1], size); x++) {
                // Volumes that the ray makes with the sides are the weights of the opposite corners.
                const float3 d = pixel_direction(x, y, size);
                double w[3], all = 0, depth = 0;
                for (int c = 0; c < 3; c++) {
                    const double *a = m[(c + 1) % 3], *b = m[(c + 2) % 3];
                    w[c] = d.x * (a[1] * b[2] - a[2] * b[1]) + d.y * (a[2] * b[0] - a[0] * b[2]) +
                           d.z * (a[0] * b[1] - a[1] * b[0]);
                    all += w[c];
                }
                for (int c = 0; c < 3; c++)
                    depth += w[c] / all * m[c][2];
                const double smallest = std::min(std::min(w[0] / all, w[1] / all), w[2] / all);
                float &low = least[y * size + x], &high = most[y * size + x];
                if (smallest > -1e-3)
                    low = std::min(low, (float)depth);
                if (smallest > 1e-3)
                    high = std::min(high, (float)depth);
            }
    }
    const Node *nodes = to_device(tree.nodes);
    const float4 *dtriangles = to_device(triangles);
    const dim3 block(8, 16), grid(ceil_div(size, 8), ceil_div(size, 16));
    float *distance[4];
    for (int k = 0; k < 4; k++)
        distance[k] = device_zeros<float>(rays);
    for (int round = 0; round < rounds; round++) {
        trace_plain<<<ceil_div(rays, BLOCK), BLOCK>>>(nodes, dtriangles, distance[0], size);
        trace_ordered<<<grid, block>>>(nodes, dtriangles, distance[1], size);
        trace_short_stack<4><<<grid, block>>>(nodes, dtriangles, distance[2], size);
        trace_packet<<<grid, block>>>(nodes, dtriangles, distance[3], size);
    }
    expect_between("trace_plain", distance[0], least, most);
    expect_between("trace_ordered", distance[1], least, most);
    expect_between("trace_short_stack", distance[2], least, most);
    expect_between("trace_packet", distance[3], least, most);
    return verdict();
}

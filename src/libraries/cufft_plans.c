/* cufft_plans.c - plans of cuFFT: created and made in one, or one after the other. Only the plain layout of data: strides of 1,
 * arrays of a batch one behind the other. The transforms need no work area of the program's.
 */
#include <stdio.h>

#include "libraries/cufft.h"

enum { PLANS_MAX = 1024 };

static struct cufft_plan plans[PLANS_MAX];

struct cufft_plan *cufft_plan(cufftHandle handle)
{
    return handle >= 1 && handle <= PLANS_MAX && plans[handle - 1].used ? &plans[handle - 1] : NULL;
}

size_t cufft_complex_count(const struct cufft_plan *p)
{
    const size_t last =
        (size_t)(p->type == CUFFT_C2C || p->type == CUFFT_Z2Z ? p->n[2] : p->n[2] / 2 + 1);
    return (size_t)p->n[0] * (size_t)p->n[1] * last;
}

size_t cufft_whole_count(const struct cufft_plan *p)
{
    return (size_t)p->n[0] * (size_t)p->n[1] * (size_t)p->n[2];
}

bool cufft_real_in(cufftType type)
{
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}

bool cufft_real_out(cufftType type)
{
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}

/* ---- Created and made --------------------------------------------------------------------------- */

cufftResult cufftCreate(cufftHandle *handle)
{
    for (int i = 0; i < PLANS_MAX; i++)
        if (!plans[i].used) {
            plans[i] = (struct cufft_plan){.used = true};
            *handle = i + 1;
            return CUFFT_SUCCESS;
        }
    return CUFFT_ALLOC_FAILED;
}

static bool type_is_known(cufftType type)
{
    return type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_C2C || type == CUFFT_D2Z ||
           type == CUFFT_Z2D || type == CUFFT_Z2Z;
}

static bool is_size(long long n)
{
    return n >= 1 && n <= INT32_MAX;
}

static cufftResult make(cufftHandle handle, long long nx, long long ny, long long nz,
                        cufftType type, long long batch, size_t *work_bytes)
{
    struct cufft_plan *p = cufft_plan(handle);
    if (p == NULL)
        return CUFFT_INVALID_PLAN;
    if (!type_is_known(type))
        return CUFFT_INVALID_TYPE;
    if (!is_size(nx) || !is_size(ny) || !is_size(nz) || !is_size(batch))
        return CUFFT_INVALID_SIZE;
    p->type = type;
    p->n[0] = (int)nx;
    p->n[1] = (int)ny;
    p->n[2] = (int)nz;
    p->batch = (int)batch;
    *work_bytes = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work_bytes)
{
    return make(plan, 1, 1, nx, type, batch, work_bytes);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work_bytes)
{
    return make(plan, 1, nx, ny, type, 1, work_bytes);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t *work_bytes)
{
    return make(plan, nx, ny, nz, type, 1, work_bytes);
}

/* ---- Of many arrays ----------------------------------------------------------------------------- */

/* Whether a layout, of which NULL is the plain one, is the plain one. */
static bool is_plain(const struct cufft_plan *p, const long long *embed, int rank, long long stride,
                     long long distance, bool real)
{
    const size_t count = real ? cufft_whole_count(p) : cufft_complex_count(p);
    const long long last = (long long)(count / ((size_t)p->n[0] * (size_t)p->n[1]));
    for (int i = 1; i < rank; i++)
        if (embed[i] != (i == rank - 1 ? last : p->n[CUFFT_RANK_MAX - rank + i]))
            return false;
    return stride == 1 && (p->batch == 1 || (size_t)distance == count);
}

/* How the arrays of a batch lie. Where one `embed` is NULL, both are plain. */
struct layout {
    long long *embed, stride, distance;
};

static cufftResult make_many(const char *function, cufftHandle plan, int rank, const long long *n,
                             const struct layout *in, const struct layout *out, cufftType type,
                             long long batch, size_t *work_bytes)
{
    if (rank < 1 || rank > CUFFT_RANK_MAX)
        return CUFFT_INVALID_VALUE;
    const cufftResult made = make(plan, rank > 2 ? n[rank - 3] : 1, rank > 1 ? n[rank - 2] : 1,
                                  n[rank - 1], type, batch, work_bytes);
    if (made)
        return made;
    struct cufft_plan *p = cufft_plan(plan);
    if (in->embed == NULL || out->embed == NULL ||
        (is_plain(p, in->embed, rank, in->stride, in->distance, cufft_real_in(type)) &&
         is_plain(p, out->embed, rank, out->stride, out->distance, cufft_real_out(type))))
        return CUFFT_SUCCESS;
    p->batch = 0;
    fprintf(stderr,
            "warplens: %s: only data of stride 1 without gaps is possible (answered with "
            "CUFFT_NOT_SUPPORTED)\n",
            function);
    return CUFFT_NOT_SUPPORTED;
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t *work_bytes)
{
    return make_many(__func__, plan, rank, n, &(struct layout){inembed, istride, idist},
                     &(struct layout){onembed, ostride, odist}, type, batch, work_bytes);
}

/* Of an array of `rank` numbers a wider copy in `to`; NULL: there is none. */
static long long *widened(const int *from, int rank, long long *to)
{
    for (int i = 0; from && i < rank && i < CUFFT_RANK_MAX; i++)
        to[i] = from[i];
    return from ? to : NULL;
}

static cufftResult make_of_ints(const char *function, cufftHandle plan, int rank, const int *n,
                                int *inembed, int istride, int idist, int *onembed, int ostride,
                                int odist, cufftType type, int batch, size_t *work_bytes)
{
    long long sizes[CUFFT_RANK_MAX], in[CUFFT_RANK_MAX], out[CUFFT_RANK_MAX];
    return make_many(function, plan, rank, widened(n, rank, sizes),
                     &(struct layout){widened(inembed, rank, in), istride, idist},
                     &(struct layout){widened(onembed, rank, out), ostride, odist}, type, batch,
                     work_bytes);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *work_bytes)
{
    return make_of_ints(__func__, plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                        type, batch, work_bytes);
}

/* The types of both sides, and the one that is computed in, as one; 0: no transform has these. */
static cufftType type_of(cudaDataType in, cudaDataType out, cudaDataType in_between)
{
    static const struct {
        cudaDataType in, out, in_between;
        cufftType type;
    } types[] = {{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
                 {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
                 {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
                 {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                 {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z},
                 {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].in == in && types[i].out == out && types[i].in_between == in_between)
            return types[i].type;
    return (cufftType)0;
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType in_type,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType out_type, long long batch, size_t *work_bytes,
                                cudaDataType execution_type)
{
    const cufftType type = type_of(in_type, out_type, execution_type);
    if (type)
        return make_many(__func__, plan, rank, n, &(struct layout){inembed, istride, idist},
                         &(struct layout){onembed, ostride, odist}, type, batch, work_bytes);
    fprintf(stderr,
            "warplens: %s: only float and double, complex or real, are possible (answered "
            "with CUFFT_NOT_SUPPORTED)\n",
            __func__);
    return CUFFT_NOT_SUPPORTED;
}

/* ---- In one ------------------------------------------------------------------------------------- */

/* A plan that could not be made is none. */
static cufftResult or_none(cufftHandle *plan, cufftResult made)
{
    if (made)
        cufftDestroy(*plan);
    return made;
}

#define CREATED_AND(make)                                                                          \
    {                                                                                              \
        size_t work_bytes;                                                                         \
        const cufftResult created = cufftCreate(plan);                                             \
        return created ? created : or_none(plan, make);                                            \
    }

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
    CREATED_AND(cufftMakePlan1d(*plan, nx, type, batch, &work_bytes))

        cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
            CREATED_AND(cufftMakePlan2d(*plan, nx, ny, type, &work_bytes))

                cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
                    CREATED_AND(cufftMakePlan3d(*plan, nx, ny, nz, type, &work_bytes))

                        cufftResult
    cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                  int *onembed, int ostride, int odist, cufftType type, int batch)
        CREATED_AND(make_of_ints(__func__, *plan, rank, n, inembed, istride, idist, onembed,
                                 ostride, odist, type, batch, &work_bytes))

            cufftResult cufftDestroy(cufftHandle plan)
{
    struct cufft_plan *p = cufft_plan(plan);
    if (p)
        p->used = false;
    return p ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* ---- What is asked of plans ---------------------------------------------------------------------- */

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
    struct cufft_plan *p = cufft_plan(plan);
    if (p)
        p->stream = stream;
    return p ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetSize(cufftHandle plan, size_t *work_bytes)
{
    *work_bytes = 0;
    return cufft_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates)
{
    (void)allocates;
    return cufft_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void *work)
{
    (void)work;
    return cufft_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetVersion(int *version)
{
    *version = 11000;
    return CUFFT_SUCCESS;
}

/* accelsim_text.c - see accelsim_text.h. */
#include "trace_io/accelsim/accelsim_text.h"

#include <inttypes.h>

#include "trace_io/sass_opcode.h"

enum {
    PC_BARRIER = 0x10,
    PC_EXIT = 0x20,
    PC_FILLER = 0x30,
    PC_SITE = 0x100,
    PC_STEP = 0x10,
    FILLERS = 12,
    REGISTER_ADDRESS = 2,
    REGISTER_DATA = 4,
    REGISTER_LOADED = 8,
    LOADED_REGISTERS = 240,
};

static const char *const filler_opcodes[] = {"IMAD", "IADD3", "FFMA"};

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* ---- What can be written --------------------------------------------------------------------- */

/* The lane's place among a warp's interleaved words is its own. */
static bool is_own_word(const struct warp_access *access, unsigned lane)
{
    return access_addr(access, lane) % ((uint64_t)access->width * WARP_LANES) ==
           (uint64_t)lane * access->width;
}

const char *accelsim_text_check(const struct warp_access *access)
{
    char text[SASS_TEXT_BYTES];
    if (access_is_matrix(access))
        return "ldmatrix or stmatrix, of which Accel-Sim's reader knows no width; a text trace and "
               "a binary one can";
    if (access_is_remote(access))
        return "an access of another block's shared memory (a cluster's), which Accel-Sim does not "
               "know; a text trace and a binary one can";
    if (!sass_opcode_write(access, text))
        return "a store or an atomic to a space that has no such instruction";
    for (uint32_t left = access->active; left; left &= left - 1)
        if (access->space == SPACE_LOCAL && !is_own_word(access, lowest(left)))
            return "local memory of another lane, which has no address of its own there";
    return NULL;
}

/* Lines besides the record's last and the EXIT of some of its lanes. */
static uint64_t filler_count(const struct trace_record *record, bool fillers, bool exits)
{
    uint64_t others = 1U + exits;
    return fillers && record->work > others ? record->work - others : 0;
}

/* Lanes that end in front of the record. */
static uint32_t lanes_that_leave(const struct trace_record *record, uint32_t alive)
{
    return record->kind == RECORD_ACCESS ? alive & ~record->resident : 0;
}

uint64_t accelsim_text_count(const struct trace_record *record, bool fillers, uint32_t *alive)
{
    uint32_t leave = lanes_that_leave(record, *alive);
    *alive &= ~leave;
    return filler_count(record, fillers, leave != 0) + (leave != 0) + 1;
}

/* ---- The header ------------------------------------------------------------------------------ */

static void write_name(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc((unsigned char)*name < ' ' ? '?' : *name, file);
}

void accelsim_text_shared(FILE *file, uint64_t bytes)
{
    fprintf(file, "%-20" PRIu64, bytes);
}

long accelsim_text_header(FILE *file, const struct launch_info *launch, uint32_t number, bool lines)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    fputs("-kernel name = ", file);
    write_name(file, launch->kernel);
    fprintf(file, "\n-kernel id = %" PRIu32 "\n", number);
    fprintf(file, "-grid dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", grid[0], grid[1], grid[2]);
    fprintf(file, "-block dim = (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", block[0], block[1],
            block[2]);
    fputs("-shmem = ", file);
    long shared_at = ftell(file);
    accelsim_text_shared(file, launch->dynamic_shared_bytes);
    fprintf(file, "\n-nregs = %" PRIu32 "\n-binary version = 70\n-cuda stream id = 0\n",
            launch->registers);
    fprintf(file, "-shmem base_addr = 0x%016llx\n-local mem base_addr = 0x%016llx\n",
            ACCELSIM_SHARED_BASE, ACCELSIM_LOCAL_BASE);
    fprintf(file, "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = %d\n\n",
            lines);
    fputs("#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
          "mem_width [adrrescompress?] [mem_addresses] immediate\n\n",
          file);
    return shared_at;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void write_begin(const struct accelsim_text *text, uint32_t line, uint64_t pc, uint32_t mask)
{
    if (text->lines)
        fprintf(text->file, "%" PRIu32 " ", line);
    fprintf(text->file, "%04" PRIx64 " %08" PRIx32 " ", pc, mask);
}

static void write_plain(const struct accelsim_text *text, uint64_t pc, uint32_t mask,
                        const char *opcode)
{
    write_begin(text, 0, pc, mask);
    fprintf(text->file, "0 %s 0 0 0\n", opcode);
}

static void write_fillers(const struct accelsim_text *text, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        write_plain(text, PC_FILLER + i % FILLERS * PC_STEP, text->alive, filler_opcodes[i % 3]);
}

/* All active lanes are next to each other, at a distance that 32 bits hold. */
static bool has_stride(const struct lane_row *row, int64_t *stride)
{
    unsigned first = lowest(row->active);
    uint32_t run = row->active >> first, rest = row->active & (row->active - 1);
    if (run & (run + 1) || rest == 0)
        return false;
    *stride = (int64_t)(row->addr[first + 1] - row->addr[first]);
    for (uint32_t left = rest; left; left &= left - 1)
        if (row->addr[lowest(left)] - row->addr[lowest(left) - 1] != (uint64_t)*stride)
            return false;
    return *stride == (int32_t)*stride;
}

static void write_list(const struct accelsim_text *text, const struct lane_row *row)
{
    fputs(" 0", text->file);
    for (uint32_t left = row->active; left; left &= left - 1)
        fprintf(text->file, " 0x%016" PRIx64, row->addr[lowest(left)]);
}

static void write_deltas(const struct accelsim_text *text, const struct lane_row *row)
{
    uint64_t before = row->addr[lowest(row->active)];
    fprintf(text->file, " 2 0x%" PRIx64, before);
    for (uint32_t left = row->active & (row->active - 1); left; left &= left - 1) {
        uint64_t addr = row->addr[lowest(left)];
        fprintf(text->file, " %" PRId64, (int64_t)(addr - before));
        before = addr;
    }
}

static void write_addresses(const struct accelsim_text *text, const struct lane_row *row)
{
    int64_t stride = 0;
    uint64_t all = 0;
    for (uint32_t left = row->active; left; left &= left - 1)
        all |= row->addr[lowest(left)];
    if (all >> 63) /* distances would not fit */
        write_list(text, row);
    else if (has_stride(row, &stride))
        fprintf(text->file, " 1 0x%" PRIx64 " %" PRId64, row->addr[lowest(row->active)], stride);
    else
        write_deltas(text, row);
}

/* A thread's local address behind the interleaving, a block's shared one in the window. */
static uint64_t file_address(const struct trace_record *record, uint64_t addr)
{
    if (record->space == SPACE_SHARED)
        return ACCELSIM_SHARED_BASE + addr;
    if (record->space != SPACE_LOCAL)
        return addr;
    uint64_t row_bytes = (uint64_t)record->width * WARP_LANES;
    return addr % LOCAL_WARP_BYTES / row_bytes * record->width;
}

/* The register of the load whose value the access needs; REGISTER_DATA when it needs none. */
static unsigned needed_register(const struct accelsim_text *text, const struct trace_record *record)
{
    uint64_t left = record->op == OP_LOAD ? record->loads_left : 0;
    if (left == NEEDS_NO_LOAD || left >= text->loads)
        return REGISTER_DATA;
    left = left < LOADED_REGISTERS ? left : LOADED_REGISTERS - 1;
    return REGISTER_LOADED + (unsigned)((text->loads - 1 - left) % LOADED_REGISTERS);
}

static void write_registers(const struct accelsim_text *text, const struct trace_record *record,
                            const char *opcode)
{
    unsigned needed = needed_register(text, record), written;
    if (record->op == OP_LOAD) {
        written = REGISTER_LOADED + (unsigned)(text->loads % LOADED_REGISTERS);
        fprintf(text->file, "1 R%u %s ", written, opcode);
        if (needed == REGISTER_DATA) {
            fprintf(text->file, "1 R%d ", REGISTER_ADDRESS);
            return;
        }
    } else {
        fprintf(text->file, "0 %s ", opcode);
    }
    fprintf(text->file, "2 R%d R%u ", REGISTER_ADDRESS, needed);
}

static void write_access(struct accelsim_text *text, const struct trace_record *record,
                         const struct lane_row *row)
{
    struct warp_access access = {.active = row->active,
                                 .space = record->space,
                                 .op = record->op,
                                 .width = record->width,
                                 .flags = record->flags};
    char opcode[SASS_TEXT_BYTES];
    struct lane_row file_row = {.active = row->active};
    for (uint32_t left = row->active; left; left &= left - 1)
        file_row.addr[lowest(left)] = file_address(record, row->addr[lowest(left)]);
    sass_opcode_write(&access, opcode);
    write_begin(text, record->site < text->site_count ? text->site_lines[record->site] : 0,
                PC_SITE + (uint64_t)record->site * PC_STEP, row->active);
    write_registers(text, record, opcode);
    fprintf(text->file, "%u", record->width);
    write_addresses(text, &file_row);
    fputs(" 0\n", text->file);
    text->loads += record->op == OP_LOAD;
}

void accelsim_text_write(struct accelsim_text *text, const struct trace_record *record,
                         const struct lane_row *row)
{
    uint32_t leave = lanes_that_leave(record, text->alive);
    if (leave)
        write_plain(text, PC_EXIT, leave, "EXIT");
    text->alive &= ~leave;
    write_fillers(text, filler_count(record, text->fillers, leave != 0));
    if (record->kind == RECORD_ACCESS)
        write_access(text, record, row);
    else if (record->kind == RECORD_BARRIER)
        write_plain(text, PC_BARRIER, text->alive, "BAR.SYNC.DEFER_BLOCKING");
    else
        write_plain(text, PC_EXIT, text->alive, "EXIT");
}

/* draw_tables.c - the tables of an explanation: transactions, the transaction each lane rides in,
 * and the passes of constant memory.
 *
 * Decision: a long list of transactions says little more than its first rows; the table by lane
 * below it is always whole.
 */
#include "explain/explained.h"

#include <inttypes.h>

enum { LISTED_MOST = 12, LISTED_OF_MANY = 6, LANES_A_ROW = 16 };

/* The end of the transactions from `first` on that move the same bytes. */
static uint32_t run_end(const struct coalesced *moved, uint32_t first)
{
    uint32_t end = first;
    while (end < moved->transactions && moved->list[end].addr == moved->list[first].addr &&
           moved->list[end].bytes == moved->list[first].bytes)
        end++;
    return end;
}

/* One row for the transactions [first, end), which move the same bytes. */
static void print_transactions(const struct explained *x, uint32_t first, uint32_t end, FILE *out)
{
    const struct transaction *list = x->moved.list;
    uint32_t set = 0, lanes = 0;
    struct text name, row, riding;
    for (uint32_t i = first; i < end; i++) {
        set |= UINT32_C(1) << i;
        lanes |= list[i].lanes;
    }
    text_start(&name);
    text_add_transactions(&name, set);
    text_start(&row);
    text_add(&row, "  %-8s%2" PRIu32 " x %3" PRIu32 " bytes  ", name.s, end - first,
             list[first].bytes);
    text_add_range(&row, list[first].addr, list[first].bytes);
    text_add(&row, ", %" PRIu32 " used, ", explained_used_bytes(x->access, lanes));
    text_start(&riding);
    text_add_lanes(&riding, lanes);
    text_print_wrapped(out, row.s, 26, riding.s);
}

static uint32_t count_runs(const struct coalesced *moved)
{
    uint32_t runs = 0;
    for (uint32_t i = 0; i < moved->transactions; i = run_end(moved, i))
        runs++;
    return runs;
}

/* The index of the transaction that a lane rides in. */
static uint32_t find_transaction(const struct explained *x, unsigned lane)
{
    uint32_t i = 0;
    while (i < x->moved.transactions && (x->moved.list[i].lanes >> lane & 1U) == 0)
        i++;
    return i;
}

static void print_lane_table(const struct explained *x, FILE *out)
{
    for (unsigned first = 0; first < WARP_LANES; first += LANES_A_ROW) {
        fputs("  lane    ", out);
        for (unsigned lane = first; lane < first + LANES_A_ROW; lane++)
            fprintf(out, " %4u", lane);
        fputs("\n  rides in", out);
        for (unsigned lane = first; lane < first + LANES_A_ROW; lane++) {
            if (access_lane_active(x->access, lane))
                fprintf(out, " %*s%" PRIu32, find_transaction(x, lane) < 9 ? 3 : 2, "T",
                        find_transaction(x, lane) + 1);
            else
                fputs("   --", out);
        }
        fputc('\n', out);
    }
}

void draw_transactions(const struct explained *x, FILE *out)
{
    const uint32_t runs = count_runs(&x->moved);
    uint32_t listed = runs > LISTED_MOST ? LISTED_OF_MANY : runs, i = 0;
    fputs("Transactions, and the one each lane rides in (-- the lane is off):\n", out);
    for (; listed != 0; listed--) {
        uint32_t end = run_end(&x->moved, i);
        print_transactions(x, i, end, out);
        i = end;
    }
    if (i < x->moved.transactions)
        fprintf(out, "  ... and %" PRIu32 " more, up to T%" PRIu32 "\n", x->moved.transactions - i,
                x->moved.transactions);
    print_lane_table(x, out);
}

void draw_constant(const struct explained *x, FILE *out)
{
    struct text row, lanes;
    fputs("Passes: each one reads one address and gives it to every lane that wants it\n", out);
    for (uint32_t i = 0; i < x->constant.passes; i++) {
        text_start(&row);
        text_add(&row, "  pass %2" PRIu32 "  0x%04" PRIx64 "  ", i + 1, x->constant.addr[i]);
        text_start(&lanes);
        text_add_lanes(&lanes, x->constant.lanes[i]);
        text_print_wrapped(out, row.s, 17, lanes.s);
    }
}

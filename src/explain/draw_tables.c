/* draw_tables.c - the tables of an explanation: transactions, the transaction each lane rides in,
 * and the passes of constant memory.
 *
 * Decision: a long list of transactions says little more than its first rows; the table by lane
 * below it is always whole.
 */
#include "explain/explain_parts.h"

#include <inttypes.h>

enum { LISTED_MOST = 12, LISTED_OF_MANY = 8, LANES_A_ROW = 16 };

static void print_transaction(const struct explained *x, uint32_t i, FILE *out)
{
    const struct transaction *sent = &x->moved.list[i];
    uint32_t used = explained_used_bytes(x->access, sent->lanes);
    struct text row, lanes;
    text_start(&row);
    text_add(&row, "  T%-3" PRIu32 "%3" PRIu32 " bytes  ", i + 1, sent->bytes);
    text_add_range(&row, sent->addr, sent->bytes);
    text_add(&row, ", %" PRIu32 " of them used, ", used);
    text_start(&lanes);
    text_add_lanes(&lanes, sent->lanes);
    text_print_wrapped(out, row.s, 17, lanes.s);
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
    const uint32_t all = x->moved.transactions;
    const uint32_t listed = all > LISTED_MOST ? LISTED_OF_MANY : all;
    fputs("Transactions, and the one each lane rides in (-- the lane is off):\n", out);
    for (uint32_t i = 0; i < listed; i++)
        print_transaction(x, i, out);
    if (listed < all)
        fprintf(out, "  ... and %" PRIu32 " more, up to T%" PRIu32 "\n", all - listed, all);
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

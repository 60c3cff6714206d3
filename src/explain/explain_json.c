/* explain_json.c - an explanation as one JSON object.
 *
 * Decisions: addresses are numbers (they stay below 2^53), lane sets are hexadecimal masks; an
 * inactive lane's address is null; of the counts only those of the access's path are there; the partition
 * of a transaction is there where the GPU's address map is known (sm_1x).
 */
#include "explain/explain.h"

#include "explain/explained.h"
#include "explain/layouts.h"
#include "sim/rules/address_map.h"
#include "text/quote.h"

#include <inttypes.h>

static void put_access(const struct warp_access *a, FILE *out)
{
    fprintf(out,
            "\"access\":{\"op\":\"%s\",\"space\":\"%s\",\"width\":%u,\"read_only\":%s,"
            "\"active\":\"0x%08" PRIx32 "\",\"addresses\":[",
            mem_op_names[access_word(a)], mem_space_names[a->space], a->width,
            (a->flags & ACCESS_READ_ONLY) != 0 ? "true" : "false", a->active);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        fputs(lane == 0 ? "" : ",", out);
        if (access_lane_active(a, lane))
            fprintf(out, "%" PRIu64, access_addr(a, lane));
        else
            fputs("null", out);
    }
    fputs("]}", out);
}

/* Which partition moves it, where that is known: address / 256 mod partitions, and no hash. */
static void put_partition(const struct address_map *map, uint64_t addr, FILE *out)
{
    if (!map->hashed)
        fprintf(out, ",\"partition\":%" PRIu32, address_map_find(map, addr).partition);
}

static void put_transactions(const struct explained *x, FILE *out)
{
    const struct address_map map = address_map_for(x->arch);
    fputs(",\"transactions\":[", out);
    for (uint32_t i = 0; i < x->moved.transactions; i++) {
        const struct transaction *sent = &x->moved.list[i];
        fprintf(out,
                "%s{\"addr\":%" PRIu64 ",\"bytes\":%" PRIu32 ",\"lanes\":\"0x%08" PRIx32
                "\",\"used_bytes\":%" PRIu32,
                i == 0 ? "" : ",", sent->addr, sent->bytes, sent->lanes,
                explained_used_bytes(x->access, sent->lanes));
        put_partition(&map, sent->addr, out);
        fputc('}', out);
    }
    fputc(']', out);
}

static void put_memory_counts(const struct explained *x, FILE *out)
{
    fprintf(out,
            ",\"counts\":{\"requests\":%" PRIu32 ",\"transactions\":%" PRIu32
            ",\"sectors\":%" PRIu32 ",\"ideal_sectors\":%" PRIu32 ",\"bytes_requested\":%" PRIu32
            ",\"bytes_used\":%" PRIu32 ",\"bytes_moved\":%" PRIu32,
            x->moved.requests, x->moved.transactions, x->moved.bytes_moved / SECTOR_BYTES,
            coalesce_ideal_sectors(x->bytes_used), x->bytes_asked, x->bytes_used,
            x->moved.bytes_moved);
    if (x->has_l1_stages)
        fprintf(out, ",\"tag_wavefronts\":%" PRIu32 ",\"data_passes\":%" PRIu32, x->l1.wavefronts,
                x->l1.data_passes);
    fputc('}', out);
}

static void put_bank(const struct explained *x, const struct bank_pass *pass, uint32_t bank,
                     FILE *out)
{
    uint64_t words[WARP_LANES];
    uint32_t count = bank_plan_words(&x->banks, x->access, pass, bank, words);
    fprintf(out, "{\"bank\":%" PRIu32 ",\"words\":[", bank);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : ",", words[i]);
    fprintf(out, "],\"lanes\":\"0x%08" PRIx32 "\"}", pass->lanes[bank]);
}

static void put_bank_pass(const struct explained *x, const struct bank_pass *pass, FILE *out)
{
    const char *separator = "";
    fprintf(out, "{\"first_lane\":%" PRIu32 ",\"first_part\":%u,\"parts\":%u,\"banks\":[",
            pass->group * x->banks.group_lanes, pass->first_part, pass->parts);
    for (uint32_t bank = 0; bank < x->banks.banks; bank++) {
        if (pass->lanes[bank] == 0)
            continue;
        fputs(separator, out);
        put_bank(x, pass, bank, out);
        separator = ",";
    }
    fputs("]}", out);
}

static void put_banks(const struct explained *x, FILE *out)
{
    fputs(",\"passes\":[", out);
    for (uint32_t i = 0; i < x->banks.passes; i++) {
        fputs(i == 0 ? "" : ",", out);
        put_bank_pass(x, &x->banks.pass[i], out);
    }
    fprintf(out,
            "],\"counts\":{\"passes\":%" PRIu32 ",\"ideal_passes\":%" PRIu32
            ",\"conflicts\":%" PRIu32 ",\"ways\":%" PRIu32 "}",
            x->passes.passes, x->passes.ideal, x->passes.passes - x->passes.ideal, x->ways);
}

static void put_constant(const struct explained *x, FILE *out)
{
    fputs(",\"passes\":[", out);
    for (uint32_t i = 0; i < x->constant.passes; i++)
        fprintf(out, "%s{\"addr\":%" PRIu64 ",\"lanes\":\"0x%08" PRIx32 "\"}", i == 0 ? "" : ",",
                x->constant.addr[i], x->constant.lanes[i]);
    fprintf(out, "],\"counts\":{\"passes\":%" PRIu32 ",\"ideal_passes\":%" PRIu32 "}",
            x->constant.passes, x->constant_ideal);
}

static void put_copy(const struct explained *x, FILE *out)
{
    const struct async_copy_counts *n = &x->copied;
    const char *separator = "";
    put_transactions(x, out);
    fprintf(out, ",\"past_l1\":%s,\"destinations\":[", x->access->copy->past_l1 ? "true" : "false");
    for (unsigned lane = 0; lane < WARP_LANES; lane++, separator = ",") {
        fputs(separator, out);
        if (access_lane_active(x->access, lane))
            fprintf(out, "%" PRIu64, x->access->copy->to[lane]);
        else
            fputs("null", out);
    }
    fprintf(out,
            "],\"counts\":{\"requests\":%" PRIu32 ",\"sectors\":%" PRIu32
            ",\"ideal_sectors\":%" PRIu32 ",\"passes\":%" PRIu32 ",\"conflicts\":%" PRIu32
            ",\"tag_wavefronts\":%" PRIu32 ",\"data_passes\":%" PRIu32 ",\"l2_requests\":%" PRIu32
            "}",
            n->requests, n->sectors, n->ideal_sectors, n->passes, n->conflicts, n->tag_wavefronts,
            n->data_passes, n->l2_requests);
}

static void put_step(struct step_sink *sink, const char *step)
{
    fputs(sink->count == 1 ? "" : ",", sink->out);
    quote_json_string(step, sink->out);
}

static void put_words(const struct explained *x, FILE *out)
{
    struct step_sink sink = {.put = put_step, .out = out};
    struct text verdict;
    fputs(",\"steps\":[", out);
    steps_write(x, &sink);
    fputs("],\"verdict\":", out);
    if (verdict_find(x, &verdict))
        quote_json_string(verdict.s, out);
    else
        fputs("null", out);
}

static void put_gpu(const struct gpu_model *model, const struct arch *arch, FILE *out)
{
    fputs(",\"gpu\":", out);
    quote_json_string(model->name, out);
    fputs(",\"title\":", out);
    quote_json_string(model->title, out);
    fprintf(out, ",\"sm\":%d", (int)arch->sm);
}

static void put_path(const struct explained *x, FILE *out)
{
    if (x->path == PATH_MEMORY) {
        put_transactions(x, out);
        put_memory_counts(x, out);
    } else if (x->path == PATH_COPY) {
        put_copy(x, out);
    } else if (x->path == PATH_BANKS) {
        put_banks(x, out);
    } else {
        put_constant(x, out);
    }
}

void explain_subject_json(const struct explain_subject *subject, FILE *out)
{
    struct explained x;
    struct text rule;
    bool has_rules = explained_make(subject, &x);
    fputc('{', out);
    put_access(subject->access, out);
    put_gpu(subject->model, subject->arch, out);
    if (!has_rules) {
        fputs(",\"rule\":null}", out);
        return;
    }
    text_start(&rule);
    rule_describe(&x, &rule);
    fprintf(out, ",\"rules\":\"%s\",\"rule\":\"%s\",\"rule_text\":", x.rules.name, rule_name(&x));
    quote_json_string(rule.s, out);
    put_path(&x, out);
    put_words(&x, out);
    layouts_put_json(&x, out);
    fputc('}', out);
}

void explain_access_json(const struct warp_access *a, const struct gpu_model *model,
                         const struct arch *arch, FILE *out)
{
    const struct explain_subject subject = {.access = a, .model = model, .arch = arch};
    explain_subject_json(&subject, out);
}

/* rule_words.c - each rule's name and its one-sentence summary, for the head of an explanation. */
#include "explain/explained.h"

struct rule_text {
    const char *name, *words;
};

static const struct rule_text coalesce_texts[COALESCE_RULE_COUNT] = {
    [COALESCE_HALF_WARP_STRICT] =
        {"half_warp_strict", "each half-warp on its own; lane k must take word k of one aligned "
                             "segment, otherwise every active lane is a 32-byte transaction"},
    [COALESCE_HALF_WARP_SEGMENT] =
        {"half_warp_segment", "each half-warp on its own; one transaction for each aligned segment "
                              "its lanes touch, in any order, shrunk to the half in use"},
    [COALESCE_LINE_128] = {"line_128", "in lines of 128 bytes; one transaction for each line that "
                                       "a request touches, in any order"},
    [COALESCE_SEGMENT_32] = {"segment_32", "in segments of 32 bytes; one transaction for each "
                                           "segment that a request touches, in any order"},
    [COALESCE_STORE_124] =
        {"store_124", "stores gather the 32-byte segments of the whole warp and send them by four "
                      "(a line of 128 bytes), by two (half a line) or one by one"},
    [COALESCE_SECTOR_GROUPED] =
        {"sector_grouped", "the instruction is split into groups of lanes; each group sends the "
                           "32-byte sectors it touches, nothing is merged across groups"},
    [COALESCE_SECTOR_SPLIT_REQUESTS] =
        {"sector_split_requests", "the instruction is split into groups of lanes, one request "
                                  "each; what moves are the distinct 32-byte sectors of the whole "
                                  "warp"},
    [COALESCE_SECTOR] = {"sector", "one request for the whole warp; what moves are its distinct "
                                   "32-byte sectors, in any order"},
    [COALESCE_SECTOR_ROUNDS] =
        {"sector_rounds", "one request for the whole warp; lanes that want one address take a "
                          "round each, and what moves are the distinct 32-byte sectors of each "
                          "round"},
    [COALESCE_LANE] = {"lane", "every active lane of an atomic is a 32-byte transaction of its "
                               "own"},
};

#define ANY_WORDS                                                                                  \
    "32 banks of 4 bytes; in a pass every bank gives one word to all lanes that want it"

static const struct rule_text bank_texts[BANK_RULE_COUNT] = {
    [BANKS_HALF_WARP_16] = {"banks_half_warp_16", "16 banks of 4 bytes, by half-warps; a pass "
                                                  "broadcasts one word, other banks serve a lane"},
    [BANKS_FERMI_32] = {"banks_fermi_32", ANY_WORDS},
    [BANKS_KEPLER_4] = {"banks_kepler_4", "32 banks of 4 bytes; in a pass a bank gives both its "
                                          "words of an aligned 64-word block"},
    [BANKS_KEPLER_8] = {"banks_kepler_8", "32 banks of 8 bytes; in a pass every bank gives one "
                                          "8-byte word to all lanes that want it"},
    [BANKS_GROUPED_32] = {"banks_grouped_32", ANY_WORDS},
    [BANKS_PAIRED_32] = {"banks_paired_32", ANY_WORDS},
};

const char *rule_name(const struct explained *x)
{
    if (x->path == PATH_MEMORY)
        return coalesce_texts[x->rule].name;
    if (x->path == PATH_COPY)
        return x->access->copy->past_l1 ? "copy_past_l1" : "copy_through_l1";
    if (x->path == PATH_CONSTANT)
        return x->rules.constant_half_warp ? "constant_half_warp" : "constant_warp";
    return bank_texts[x->rules.banks].name;
}

/* Where a switch of the GPU chooses between lines and segments, says how it stands; where the path
 * is one apart, says which. */
static void add_path(const struct explained *x, struct text *t)
{
    const struct warp_access *a = x->access;
    bool is_apart = (a->flags & ACCESS_READ_ONLY) != 0 && x->rules.read_only_apart;
    if (a->space == SPACE_TEXTURE || is_apart)
        text_add(t, " (texture and read-only path)");
    else if (a->space == SPACE_GLOBAL && x->rule == COALESCE_LINE_128)
        text_add(t, " (L1 caches global loads)");
    else if (a->space == SPACE_GLOBAL && x->rule == COALESCE_SEGMENT_32)
        text_add(t, " (L1 does not cache global loads)");
}

static void describe_banks(const struct explained *x, struct text *t)
{
    if (x->banks.by_lane)
        text_add(t,
                 "%u banks; an atomic takes one lane of a bank in each pass, also when lanes want "
                 "the same word",
                 (unsigned)x->banks.banks);
    else
        text_add(t, "%s", bank_texts[x->rules.banks].words);
}

void rule_describe(const struct explained *x, struct text *t)
{
    if (x->path == PATH_COPY) {
        text_add(t, x->access->copy->past_l1
                        ? "32-byte sectors go from L2 to shared memory, those of one line together "
                          "when a turn or a mirror image takes them to one line there"
                        : "32-byte sectors go to the L1 as those of a load, and from there lanes "
                          "copy in groups; two that lie at the same place within 128 bytes, of the "
                          "source or of the destination, do not share a pass");
    } else if (x->path == PATH_BANKS) {
        describe_banks(x, t);
    } else if (x->path == PATH_CONSTANT) {
        text_add(t, "one address a pass, given to every lane of the %s that wants it",
                 x->rules.constant_half_warp ? "half-warp" : "warp");
    } else {
        text_add(t, "%s", coalesce_texts[x->rule].words);
        add_path(x, t);
    }
}

/* join_table.h - the launches of what the command line names, and the names of the file that is being joined to them. */
#ifndef WARPLENS_VALIDATE_JOIN_TABLE_H
#define WARPLENS_VALIDATE_JOIN_TABLE_H

#include "validate/kernel_name.h"
#include "validate/validate.h"

/* A launch of the runs. */
struct modelled {
    struct launch_ref ref;
    size_t group;
    uint32_t name; /* of struct joining */
    bool is_taken; /* by the file that is being joined, or passed over */
};

/* A name of the file that is being joined, under one GPU. */
struct measured_name {
    struct kernel_name name;
    const char *shown;
    size_t group;
    bool *takes;       /* owned; by name of the runs */
    bool has_same;     /* a name of the runs is the same */
    bool is_open;      /* has no arguments, and may be an instance all the same */
    bool shares;       /* another name of the file takes some of them, too */
    size_t cursor;     /* launches in front of it are taken, or not of this name */
    size_t count;      /* launches of the runs */
    uint64_t measured; /* launches or, of nvprof, invocations */
    size_t rows, other_sizes;
};

/* A name of the runs under one GPU, for the file that is being joined. */
struct modelled_name {
    size_t free, takers; /* launches; names of the file */
    bool has_same;       /* a name of the file is the same */
};

struct joining {
    struct validation *v;
    struct modelled *modelled; /* owned */
    size_t modelled_count;
    struct name_set names;      /* of the runs' launches */
    struct kernel_name *parsed; /* owned; of these */
    struct name_set file_names; /* "group name" */
    struct measured_name *of_file;
    struct modelled_name *of_runs; /* by GPU and name */
    size_t refs_used;
    char first_other_size[400]; /* "" when all sizes are equal */
};

/* All: false without memory. The launches of the runs, in the order of the command line. */
bool joining_start(struct joining *joining);
/* The names of a file's launches [from, to), and which names of the runs belong to each. What files before have taken
 * is there again, but for what --launch-skip passes over. */
bool joining_take_file(struct joining *joining, size_t from, size_t to);
void joining_forget_file(struct joining *joining);
void joining_free(struct joining *joining);

/* The name of a launch of that file; NULL: no memory. */
struct measured_name *joining_name(struct joining *joining, size_t launch);
/* Whether a launch of the runs is free, and one of that name. */
bool joining_takes(const struct measured_name *name, const struct modelled *modelled);

#endif

/* source_texts.c - sites name files without their folders, so a program's are looked for by name: first among
 * the files of the command line, then beside the first of those. */
#include "cli/inputs/source_texts.h"

#include <stdlib.h>
#include <string.h>

#include "embed/embed.h"
#include "text/characters.h"
#include "text/memory.h"

enum { TEXT_BYTES_MAX = 1 << 20, PATH_BYTES = 4096 };

/* The whole file, without carriage returns; NULL when it cannot be had, or is no text, or there is no memory, which is
 * noted. */
static char *read_text(const char *path)
{
    FILE *in = memory_open_file(path, "rb");
    char *text = in ? memory_take(1, TEXT_BYTES_MAX + 1) : NULL;
    size_t bytes = text ? fread(text, 1, TEXT_BYTES_MAX + 1, in) : 0, kept = 0;
    const bool fine = text && !ferror(in) && bytes <= TEXT_BYTES_MAX;
    if (in)
        fclose(in);
    if (!fine) {
        free(text);
        return NULL;
    }
    for (size_t i = 0; i < bytes; i++)
        if (text[i] != '\r')
            text[kept++] = text[i] ? text[i] : '?';
    text[kept] = '\0';
    return text;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Sites have the names of files as they are shown. */
static bool is_named(const char *path, const char *file)
{
    char *shown = text_printable_copy(base_name(path));
    const bool is = shown && strcmp(shown, file) == 0;
    free(shown);
    return is;
}

static char *read_program_file(const struct program_source *program, const char *file)
{
    const struct options *options = program->options;
    const char *path = is_named(program->path, file) ? program->path : NULL;
    char beside[PATH_BYTES];
    for (size_t i = 0; path == NULL && i < options->with.count; i++)
        if (is_named(options->with.items[i], file))
            path = options->with.items[i];
    if (path || program->confined.is_wanted) /* its trace, and so the name, is the program's own */
        return path ? read_text(path) : NULL;
    snprintf(beside, sizeof beside, "%.*s%s", (int)(base_name(program->path) - program->path),
             program->path, file);
    return read_text(beside);
}

static bool add_program_file(struct run_info *info, const struct program_source *program,
                             const char *file)
{
    char *text = read_program_file(program, file);
    const bool fine = text == NULL || run_info_add_text(info, file, text);
    free(text);
    return fine;
}

bool source_texts_add(struct run_info *info, const struct opened_source *opened)
{
    for (size_t i = 0; i < info->site_count; i++) {
        const char *file = info->sites[i].file;
        bool fine = true;
        if (info->sites[i].line == 0 || run_info_text(info, file))
            continue;
        if (opened->input.kind == INPUT_KERNEL && embedded_text(gallery_texts, file))
            fine = run_info_add_text(info, file, embedded_text(gallery_texts, file));
        else if (opened->input.kind == INPUT_PROGRAM)
            fine = add_program_file(info, &opened->program, file);
        if (!fine)
            return false;
    }
    return true;
}

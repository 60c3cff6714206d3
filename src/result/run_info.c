/* run_info.c - notes by key, sites by number; all texts are copies. */
#define _GNU_SOURCE
#include "result/run_info.h"

#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "text/memory.h"

static bool set_text(char **text, const char *value)
{
    char *copy = memory_copy(value);
    if (copy == NULL)
        return false;
    free(*text);
    *text = copy;
    return true;
}

struct run_info *run_info_new(void)
{
    struct run_info *info = memory_take(1, sizeof *info);
    if (info == NULL)
        return NULL;
    info->references = 1;
    if (set_text(&info->kernel, "") && set_text(&info->summary, "") &&
        set_text(&info->choice, "") && set_text(&info->compiler, "an unknown compiler") &&
        set_text(&info->nvcc, ""))
        return info;
    run_info_release(info);
    return NULL;
}

void run_info_release(struct run_info *info)
{
    if (info == NULL || --info->references)
        return;
    free(info->kernel);
    free(info->summary);
    free(info->choice);
    free(info->compiler);
    free(info->nvcc);
    for (size_t i = 0; i < info->param_count; i++) {
        free(info->params[i].name);
        free(info->params[i].value);
    }
    for (size_t i = 0; i < info->site_count; i++) {
        free((void *)info->sites[i].file);
        free((void *)info->sites[i].array);
    }
    for (size_t i = 0; i < info->text_count; i++) {
        free(info->texts[i].file);
        free(info->texts[i].text);
    }
    for (size_t i = 0; i < info->fault_count; i++)
        run_fault_free(&info->faults[i]);
    for (size_t i = 0; i < info->library_count; i++)
        free(info->libraries[i].function);
    free(info->libraries);
    free(info->faults);
    free(info->texts);
    free(info->sites);
    observation_free(info->observed);
    free(info);
}

static bool add_param(struct run_info *info, const char *name, const char *value)
{
    if (info->param_count == RUN_PARAMS_MAX)
        return true;
    struct run_param *param = &info->params[info->param_count];
    *param = (struct run_param){0};
    if (!set_text(&param->name, name))
        return false;
    info->param_count++;
    return set_text(&param->value, value);
}

static bool add_library(struct run_info *info, const char *function, uint64_t calls)
{
    for (size_t i = 0; i < info->library_count; i++)
        if (strcmp(info->libraries[i].function, function) == 0) {
            info->libraries[i].calls += calls;
            return true;
        }
    if (info->library_count == RUN_LIBRARIES_MAX)
        return true;
    char *name = memory_copy(function);
    if (name == NULL || !LIST_MAKE_ROOM(info->libraries, info->library_count, info->library_room)) {
        free(name);
        return false;
    }
    info->libraries[info->library_count++] = (struct run_library){name, calls};
    return true;
}

bool run_info_note(struct run_info *info, const char *key, const char *value)
{
    if (strcmp(key, "kernel") == 0)
        return set_text(&info->kernel, value);
    if (strcmp(key, "summary") == 0)
        return set_text(&info->summary, value);
    if (strcmp(key, NOTE_CHOICE) == 0)
        return set_text(&info->choice, value);
    if (strcmp(key, "compiler") == 0)
        return set_text(&info->compiler, value);
    if (strcmp(key, "nvcc") == 0)
        return set_text(&info->nvcc, value);
    if (strncmp(key, NOTE_LIBRARY, strlen(NOTE_LIBRARY)) == 0)
        return add_library(info, key + strlen(NOTE_LIBRARY), strtoull(value, NULL, 10));
    return strncmp(key, "param.", 6) != 0 || add_param(info, key + 6, value);
}

bool run_info_add_site(struct run_info *info, const struct trace_site *site)
{
    char *file = memory_copy(site->file), *array = memory_copy(site->array);
    if (file == NULL || array == NULL ||
        !LIST_MAKE_ROOM(info->sites, info->site_count, info->site_room)) {
        free(file);
        free(array);
        return false;
    }
    struct trace_site *added = &info->sites[info->site_count++];
    *added = *site;
    added->file = file;
    added->array = array;
    return true;
}

bool run_info_add_text(struct run_info *info, const char *file, const char *text)
{
    struct source_text *grown =
        memory_grow(info->texts, (info->text_count + 1) * sizeof *info->texts);
    if (grown == NULL)
        return false;
    info->texts = grown;
    struct source_text *added = &grown[info->text_count];
    *added = (struct source_text){memory_copy(file), memory_copy(text)};
    if (added->file && added->text) {
        info->text_count++;
        return true;
    }
    free(added->file);
    free(added->text);
    return false;
}

const char *run_info_text(const struct run_info *info, const char *file)
{
    for (size_t i = 0; i < info->text_count; i++)
        if (strcmp(info->texts[i].file, file) == 0)
            return info->texts[i].text;
    return NULL;
}

const char *source_line(const char *text, uint32_t line, size_t *length)
{
    for (uint32_t i = 1; text && i < line; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (text == NULL || line == 0 || *text == '\0')
        return NULL;
    *length = strcspn(text, "\n");
    return text;
}

const char *run_info_code(const struct run_info *info, const char *file, uint32_t line,
                          size_t *length)
{
    const char *code = source_line(run_info_text(info, file), line, length);
    for (; code && *length && (*code == ' ' || *code == '\t'); --*length)
        code++;
    return code;
}

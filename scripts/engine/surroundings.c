/* What gnubg's evaluation needs around it: its files, the XML of a table, one thread, messages. */
#include <config.h>
#include "backgammon.h"
#include "bearoffs.h"
#include "multithread.h"
#include <ctype.h>
#include <stdarg.h>

/* The files of files.S, by the names under which gnubg opens them. */

extern const char nets[], nets_end[], equities[], equities_end[], bearoffs[], bearoffs_end[];

static const struct { const char *name, *contents, *end; } files[] = {
    {"gnubg.wd", nets, nets_end},
    {"Kazaross-XG2.xml", equities, equities_end},
    {"gnubg_os0.bd", bearoffs, bearoffs_end},
};

extern const char *file_contents(const char *name, gsize *size)
{
    if (!strcmp(name, "gnubg_ts0.bd"))
        return bearoff_file(size);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!strcmp(files[i].name, name)) {
            if (size)
                *size = files[i].end - files[i].contents;
            return files[i].contents;
        }
    return NULL;
}

extern FILE *file_open(const char *name)
{
    gsize size;
    const char *contents = file_contents(name, &size);
    return contents ? fmemopen((void *) contents, size, "r") : NULL;
}

extern gboolean g_file_get_contents(const gchar *name, gchar **contents, gsize *size,
                                    GError **error)
{
    const char *file = file_contents(name, size);
    *contents = file ? strdup(file) : NULL; /* a file ends with a zero */
    *error = NULL;
    return file != NULL;
}

extern GMappedFile *g_mapped_file_new(const gchar *name, gboolean writable, GError **error)
{
    return (GMappedFile *) file_contents(name, NULL);
}

extern gchar *g_mapped_file_get_contents(GMappedFile *file) { return (gchar *) file; }

extern void g_mapped_file_unref(GMappedFile *file) {}

extern void g_error_free(GError *error) {}

extern char *getPkgDataDir(void) { return ""; }

/* The last part: there are no folders. */
extern char *g_build_filename(const char *first, ...)
{
    const char *last = first;
    va_list parts;
    va_start(parts, first);
    for (const char *part = first; part; part = va_arg(parts, const char *))
        last = part;
    va_end(parts);
    return strdup(last);
}

/* XML of the form that match equity tables have: elements with attributes in double quotes, texts
   and comments, without entities. */

#define MAX_ATTRIBUTES 8

struct _GMarkupParseContext {
    const GMarkupParser *parser;
    gpointer data;
    void (*destroy)(gpointer);
};

extern GMarkupParseContext *g_markup_parse_context_new(const GMarkupParser *parser,
                                                       GMarkupParseFlags flags, gpointer data,
                                                       void (*destroy)(gpointer))
{
    GMarkupParseContext *context = g_new0(GMarkupParseContext, 1);
    *context = (GMarkupParseContext) {parser, data, destroy};
    return context;
}

extern void g_markup_parse_context_free(GMarkupParseContext *context)
{
    if (context->destroy)
        context->destroy(context->data);
    free(context);
}

/* The contents of a start tag, which is overwritten. */
static void start_element(GMarkupParseContext *context, char *tag, GError **error)
{
    const char *names[MAX_ATTRIBUTES + 1] = {NULL}, *values[MAX_ATTRIBUTES + 1] = {NULL};
    char *rest = tag, *name = strsep(&rest, " ");
    for (int i = 0; rest && i < MAX_ATTRIBUTES; i++) {
        rest += strspn(rest, " ");
        names[i] = strsep(&rest, "=");
        strsep(&rest, "\"");
        values[i] = strsep(&rest, "\"");
        if (rest && !*rest)
            rest = NULL;
    }
    context->parser->start_element(context, name, names, values, context->data, error);
}

extern gboolean g_markup_parse_context_parse(GMarkupParseContext *context, const gchar *text,
                                             gssize size, GError **error)
{
    char *copy = strdup(text), *rest = copy;
    while (rest) {
        char *before = strsep(&rest, "<"); /* everything up to a tag */
        context->parser->text(context, before, strlen(before), context->data, error);
        if (rest && !strncmp(rest, "!--", 3)) {
            rest = strstr(rest, "-->");
            strsep(&rest, ">");
        } else if (rest) {
            char *tag = strsep(&rest, ">");
            if (*tag == '/')
                context->parser->end_element(context, tag + 1, context->data, error);
            else if (isalpha((unsigned char) *tag))
                start_element(context, tag, error);
        }
    }
    free(copy);
    return TRUE;
}

/* The only thread, as multithread.c creates it. */

ThreadData td;
int asyncRet;

extern ThreadLocalData *MT_CreateThreadLocalData(int id)
{
    extern neuralnet nnRace, nnCrashed, nnContact;
    const neuralnet *const nets_of_classes[] = {&nnRace, &nnCrashed, &nnContact};
    ThreadLocalData *thread = g_new0(ThreadLocalData, 1);
    thread->id = id;
    thread->aMoves = g_new0(move, MAX_INCOMPLETE_MOVES);
    thread->pnnState = g_new0(NNState, 3);
    for (int i = 0; i < 3; i++) {
        thread->pnnState[i].savedBase = g_new0(float, nets_of_classes[i]->cHidden);
        thread->pnnState[i].savedIBase = g_new0(float, nets_of_classes[i]->cInput);
    }
    return thread;
}

/* What the rest of gnubg has. */

extern void PrintError(const char *message) {}

extern void outputerrf(const char *format, ...) {}

extern int LogCube(int cube) { return 31 - __builtin_clz(cube); }

extern time_t time(time_t *now) { return 0; } /* seeds noise, which no evaluation has */

extern void perror(const char *message) {}

_Noreturn void exit(int status) { __builtin_trap(); }

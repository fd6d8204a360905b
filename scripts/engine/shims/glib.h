/* The part of GLib that gnubg's evaluation uses. */
#ifndef SHIMS_GLIB_H
#define SHIMS_GLIB_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int gboolean;
typedef int gint;
typedef unsigned int guint;
typedef char gchar;
typedef float gfloat;
typedef void *gpointer;
typedef size_t gsize;
typedef ptrdiff_t gssize;
typedef int64_t gint64;
typedef uint64_t guint64;
typedef size_t GType;
typedef struct _GValue { gpointer unused; } GValue;
typedef struct { gchar *message; } GError;
typedef struct _GList GList;
typedef struct _GString GString;
typedef struct _GMappedFile GMappedFile;
typedef struct _GMarkupParseContext GMarkupParseContext;
typedef int GMarkupParseFlags;
typedef struct { gpointer unused; } GPrivate, GMutex, GCond, GHashTable;

typedef struct {
    void (*start_element)(GMarkupParseContext *, const gchar *name, const gchar **attributes,
                          const gchar **values, gpointer data, GError **);
    void (*end_element)(GMarkupParseContext *, const gchar *name, gpointer data, GError **);
    void (*text)(GMarkupParseContext *, const gchar *text, gsize size, gpointer data, GError **);
    void (*passthrough)(GMarkupParseContext *, const gchar *, gsize, gpointer data, GError **);
    void (*error)(GMarkupParseContext *, GError *, gpointer data);
} GMarkupParser;

#define FALSE 0
#define TRUE 1
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define G_PI 3.1415926535897932384626433832795028841971693993751
#define GLIB_CHECK_VERSION(major, minor, micro) 1

#define g_assert(condition) ((void) 0)
#define g_assert_not_reached() __builtin_trap()
#define g_return_val_if_fail(condition, value) do { if (!(condition)) return (value); } while (0)
#define g_alloca(size) __builtin_alloca(size)
#define g_malloc(size) malloc(size)
#define g_new0(type, count) ((type *) calloc(count, sizeof(type)))
#define g_free(memory) free(memory)
#define g_strdup(text) strdup(text)
#define g_strdup_printf(...) NULL /* names of logs, which nobody keeps */
#define g_ascii_strtod(text, end) strtod(text, end)
#define g_ascii_strtoull(text, end, base) strtoull(text, end, base)
#define g_print(...) ((void) 0)
#define g_printerr(...) ((void) 0)
#define g_warning(...) ((void) 0)
#define g_error(...) __builtin_trap()

/* Files are those of files.S. */
#define g_file_test(name, test) (file_contents(name, NULL) != NULL)
#define g_fopen(name, mode) file_open(name)

extern const char *file_contents(const char *name, gsize *size);
extern FILE *file_open(const char *name);
extern gboolean g_file_get_contents(const gchar *name, gchar **contents, gsize *size, GError **);
extern void g_error_free(GError *);
extern GMappedFile *g_mapped_file_new(const gchar *name, gboolean writable, GError **);
extern gchar *g_mapped_file_get_contents(GMappedFile *);
extern void g_mapped_file_unref(GMappedFile *);
extern char *g_build_filename(const char *first, ...);
extern GMarkupParseContext *g_markup_parse_context_new(const GMarkupParser *, GMarkupParseFlags,
                                                       gpointer data, void (*destroy)(gpointer));
extern gboolean g_markup_parse_context_parse(GMarkupParseContext *, const gchar *text, gssize size,
                                             GError **);
extern void g_markup_parse_context_free(GMarkupParseContext *);
#endif

#include <stddef.h>

/* Make gnubg_ts0.bd. */
extern void make_bearoffs(void);

/* Its contents; NULL before it is made. */
extern const char *bearoff_file(size_t *size);

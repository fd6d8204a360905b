/* What gnubg's configure would find out about the machine. */
#define HAVE___ATTRIBUTE__ 1
#define HAVE___BUILTIN_CLZ 1

/* Nobody reads messages. */
#include <stdio.h>
#define fprintf(...) ((void) 0)
#define printf(...) ((void) 0)

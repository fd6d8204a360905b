# The files that gnubg's evaluation reads, as parts of the engine.
#ifdef __wasm__
#define FLAGS "", @
#else /* a native build, in tests */
#define FLAGS "a", @progbits
.section .note.GNU-stack, "", @progbits
#endif

.macro file name, path
    .section .rodata.\name, FLAGS
    .globl \name, \name\()_end
    .type \name, @object
    .type \name\()_end, @object
    .p2align 4
\name:
    .incbin "\path"
\name\()_end:
    .byte 0
    .size \name, \name\()_end - \name
    .size \name\()_end, 1
.endm

file nets, "gnubg.wd"
file equities, "met/Kazaross-XG2.xml"
file bearoffs, "gnubg_os0.bd"

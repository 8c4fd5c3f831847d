// Takes the files of data/ into the program as they are. Assembled by GCC or Clang for ELF and
// Mach-O; .incbin finds the files on the include path.
//
// MSVC has no .incbin: there a generated source has to define the same symbols (CMakeLists.txt).

.macro embed name, file
#if defined(__APPLE__)
        .globl _weir_embedded_\name\()_begin
        .globl _weir_embedded_\name\()_end
        .balign 16
_weir_embedded_\name\()_begin:
        .incbin "\file"
_weir_embedded_\name\()_end:
#else
        .globl weir_embedded_\name\()_begin
        .globl weir_embedded_\name\()_end
        .balign 16
weir_embedded_\name\()_begin:
        .incbin "\file"
weir_embedded_\name\()_end:
#endif
        .byte 0
.endm

#if defined(__APPLE__)
        .const_data
#else
        .section .rodata
#endif

        embed qwen3_5_bpe, qwen3_5.bpe
        embed qwen3_5_special, qwen3_5.special.tsv
        embed qwen3_bpe, qwen3.bpe
        embed qwen3_special, qwen3.special.tsv
        embed unicode_classes, classes.unicode15.1.tsv

#if defined(__ELF__)
        .section .note.GNU-stack, "", %progbits
#endif

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
        embed o200k_bpe, o200k.bpe
        embed o200k_special, o200k.special.tsv
        embed gpt_oss_special, gpt_oss.special.tsv
        embed cl100k_bpe, cl100k.bpe
        embed cl100k_special, cl100k.special.tsv
        embed deepseek_bpe, deepseek.bpe
        embed deepseek_special, deepseek.special.tsv
        embed gemma4_tokens, gemma4.tokens
        embed unicode15_classes, classes.unicode15.1.tsv
        embed unicode15_folding, folding.unicode15.1.tsv
        embed unicode16_classes, classes.unicode16.0.tsv

#if defined(__ELF__)
        .section .note.GNU-stack, "", %progbits
#endif

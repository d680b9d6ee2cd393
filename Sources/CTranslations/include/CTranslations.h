#ifndef CTRANSLATIONS_H
#define CTRANSLATIONS_H

#include <stddef.h>

/// The sentences of the program in one language.
typedef struct {
    /// The name of the language, such as `de`.
    const char *_Nonnull tag;
    /// The translations by the hashes of their keys, as the module Sentences reads them.
    const unsigned char *_Nonnull table;
    size_t table_length;
    /// The translations of the sentences of scripts, as JSON.
    const unsigned char *_Nonnull script;
    size_t script_length;
} CTranslation;

/// Returns the number of languages besides English.
ptrdiff_t ctranslations_count(void);

/// Returns the language with an index, which must be lower than their number.
const CTranslation *_Nonnull ctranslations_get(ptrdiff_t index);

#endif

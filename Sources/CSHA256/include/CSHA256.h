#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor can hash so many messages at once: 8 (AVX2) or 16 (AVX-512); no other number can be had.
bool csha256_has_lanes(size_t lanes);

/// Whether this processor has instructions for SHA-256 of one message.
bool csha256_has_single(void);

/// Hashes messages of one length at once: SHA-256 (FIPS 180-4), each message in its own lane of the vector registers.
///
/// @param lanes The number of lanes; `csha256_has_lanes` must be true of it.
/// @param messages Where the messages begin; not null.
/// @param count The number of messages, 1 to `lanes`. Fewer take as long as `lanes` of them.
/// @param length The length of each in bytes.
/// @param digests Where the digests go, one after the other: `count` times 32 bytes.
void csha256_hash(size_t lanes, const void *const *messages, size_t count, size_t length, void *digests);

#endif

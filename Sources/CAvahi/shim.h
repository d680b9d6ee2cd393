#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/defs.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <stdio.h>
#include <sys/types.h>

// fopencookie(3), which glibc declares only with _GNU_SOURCE.
struct cavahi_stream_functions {
    ssize_t (*read)(void *cookie, char *buffer, size_t size);
    ssize_t (*write)(void *cookie, const char *buffer, size_t size);
    int (*seek)(void *cookie, void *offset, int whence);
    int (*close)(void *cookie);
};

FILE *cavahi_open_stream(void *cookie, const char *mode, struct cavahi_stream_functions functions)
    __asm__("fopencookie");

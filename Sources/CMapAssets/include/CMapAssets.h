#ifndef CMAPASSETS_H
#define CMAPASSETS_H

#include <stddef.h>

/// A file that is a part of the program.
typedef struct {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
} CMapAsset;

/// Returns the files of the pages, and their number: our own in Web, Leaflet of the Debian package libjs-leaflet, and MapLibre of the
/// wheel that Scripts/setup downloads, unless the program is built without it.
const CMapAsset *_Nonnull cmapassets(size_t *_Nonnull count);

#endif

#include "CMapAssets.h"

// Leaflet is not a part of the repository: the Debian package has it. Our own files are in Web.
#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed(</usr/share/javascript/leaflet/leaflet.css>)
#error "Leaflet is missing. Install the Debian package libjs-leaflet, for example with Scripts/setup build."
#endif

#define ASSET(name) \
    CMapAsset cmapassets_##name(void) { return (CMapAsset){name, sizeof name}; }

static const unsigned char leaflet_script[] = {
#if __has_embed(</usr/share/javascript/leaflet/leaflet.min.js>)
#embed </usr/share/javascript/leaflet/leaflet.min.js>
#else
#embed </usr/share/javascript/leaflet/leaflet.js>
#endif
};
ASSET(leaflet_script)

static const unsigned char leaflet_style[] = {
#embed </usr/share/javascript/leaflet/leaflet.css>
};
ASSET(leaflet_style)

static const unsigned char leaflet_licence[] = {
#embed "Web/Map/leaflet-licence.txt"
};
ASSET(leaflet_licence)

// MapLibre is in no package of Debian. Scripts/setup build downloads it; without it, no page draws vector tiles. Its path is
// relative to this file, so every build finds it.
#if __has_embed("../../.build/maplibre/maplibre-gl.js")
static const unsigned char maplibre_script[] = {
#embed "../../.build/maplibre/maplibre-gl.js"
};
ASSET(maplibre_script)
#else
CMapAsset cmapassets_maplibre_script(void) { return (CMapAsset){(const unsigned char *)"", 0}; }
#endif

static const unsigned char maplibre_licence[] = {
#embed "Web/Vector/maplibre-licence.txt"
};
ASSET(maplibre_licence)

static const unsigned char map_page[] = {
#embed "Web/Map/map.html"
};
ASSET(map_page)

static const unsigned char list_page[] = {
#embed "Web/Window/list.html"
};
ASSET(list_page)

static const unsigned char share_page[] = {
#embed "Web/Share/share.html"
};
ASSET(share_page)

static const unsigned char style[] = {
#embed "Web/style.css"
};
ASSET(style)

static const unsigned char picture_style[] = {
#embed "Web/Map/picture.css"
};
ASSET(picture_style)

static const unsigned char list_script[] = {
#embed "Web/Window/list.js"
};
ASSET(list_script)

static const unsigned char window_script[] = {
#embed "Web/Window/window.js"
};
ASSET(window_script)

static const unsigned char window_text_script[] = {
#embed "Web/Window/window-text.js"
};
ASSET(window_text_script)

static const unsigned char window_style[] = {
#embed "Web/Window/window.css"
};
ASSET(window_style)

static const unsigned char share_script[] = {
#embed "Web/Share/share.js"
};
ASSET(share_script)

static const unsigned char upload_script[] = {
#embed "Web/Share/upload.js"
};
ASSET(upload_script)

static const unsigned char words_script[] = {
#embed "Web/words.js"
};
ASSET(words_script)

static const unsigned char tiles_script[] = {
#embed "Web/Map/tiles.js"
};
ASSET(tiles_script)

static const unsigned char vector_schemas_script[] = {
#embed "Web/Vector/vector-schemas.js"
};
ASSET(vector_schemas_script)

static const unsigned char vector_icons_script[] = {
#embed "Web/Vector/vector-icons.js"
};
ASSET(vector_icons_script)

static const unsigned char vector_style_script[] = {
#embed "Web/Vector/vector-style.js"
};
ASSET(vector_style_script)

static const unsigned char vector_script[] = {
#embed "Web/Vector/vector.js"
};
ASSET(vector_script)

static const unsigned char profile_script[] = {
#embed "Web/Map/profile.js"
};
ASSET(profile_script)

static const unsigned char clusters_script[] = {
#embed "Web/Map/clusters.js"
};
ASSET(clusters_script)

static const unsigned char waypoints_script[] = {
#embed "Web/Map/waypoints.js"
};
ASSET(waypoints_script)

static const unsigned char saving_script[] = {
#embed "Web/Tools/saving.js"
};
ASSET(saving_script)

static const unsigned char search_script[] = {
#embed "Web/Map/search.js"
};
ASSET(search_script)

static const unsigned char panel_script[] = {
#embed "Web/Map/panel.js"
};
ASSET(panel_script)

static const unsigned char tools_script[] = {
#embed "Web/Tools/tools.js"
};
ASSET(tools_script)

static const unsigned char places_script[] = {
#embed "Web/Tools/places.js"
};
ASSET(places_script)

static const unsigned char measuring_script[] = {
#embed "Web/Tools/measuring.js"
};
ASSET(measuring_script)

static const unsigned char position_script[] = {
#embed "Web/Tools/position.js"
};
ASSET(position_script)

static const unsigned char address_script[] = {
#embed "Web/Tools/address.js"
};
ASSET(address_script)

static const unsigned char printing_script[] = {
#embed "Web/Tools/printing.js"
};
ASSET(printing_script)

static const unsigned char map_script[] = {
#embed "Web/Map/map.js"
};
ASSET(map_script)

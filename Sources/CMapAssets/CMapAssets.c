#include "CMapAssets.h"

// Leaflet is not a part of the repository: the Debian package has it. Our own files are in Web.
#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed(</usr/share/javascript/leaflet/leaflet.css>)
#error "Leaflet is missing. Install the Debian package libjs-leaflet, for example with Scripts/setup build."
#endif

static const unsigned char leaflet_js[] = {
#if __has_embed(</usr/share/javascript/leaflet/leaflet.min.js>)
#embed </usr/share/javascript/leaflet/leaflet.min.js>
#else
#embed </usr/share/javascript/leaflet/leaflet.js>
#endif
};
static const unsigned char leaflet_css[] = {
#embed </usr/share/javascript/leaflet/leaflet.css>
};

// MapLibre is in no package of Debian. Scripts/setup build downloads it; without it, no page draws vector tiles. Its path is
// relative to this file, so every build finds it.
#if __has_embed("../../.build/maplibre/maplibre-gl.js")
static const unsigned char maplibre_js[] = {
#embed "../../.build/maplibre/maplibre-gl.js"
};
#endif

static const unsigned char map_html[] = {
#embed "Web/Map/map.html"
};
static const unsigned char list_html[] = {
#embed "Web/Window/list.html"
};
static const unsigned char share_html[] = {
#embed "Web/Share/share.html"
};
static const unsigned char style_css[] = {
#embed "Web/style.css"
};
static const unsigned char picture_css[] = {
#embed "Web/Map/picture.css"
};
static const unsigned char window_css[] = {
#embed "Web/Window/window.css"
};
static const unsigned char words_js[] = {
#embed "Web/words.js"
};
static const unsigned char list_js[] = {
#embed "Web/Window/list.js"
};
static const unsigned char window_text_js[] = {
#embed "Web/Window/window-text.js"
};
static const unsigned char window_js[] = {
#embed "Web/Window/window.js"
};
static const unsigned char dialogs_js[] = {
#embed "Web/Window/dialogs.js"
};
static const unsigned char exports_js[] = {
#embed "Web/House/exports.js"
};
static const unsigned char opened_js[] = {
#embed "Web/Window/opened.js"
};
static const unsigned char add_js[] = {
#embed "Web/Window/add.js"
};
static const unsigned char house_js[] = {
#embed "Web/House/house.js"
};
static const unsigned char marking_js[] = {
#embed "Web/House/marking.js"
};
static const unsigned char plan_js[] = {
#embed "Web/Plan/plan.js"
};
static const unsigned char plan_words_js[] = {
#embed "Web/Plan/plan-words.js"
};
static const unsigned char plan_layer_js[] = {
#embed "Web/Plan/plan-layer.js"
};
static const unsigned char plan_panel_js[] = {
#embed "Web/Plan/plan-panel.js"
};
static const unsigned char planning_js[] = {
#embed "Web/Plan/planning.js"
};
static const unsigned char ways_js[] = {
#embed "Web/Window/ways.js"
};
static const unsigned char give_js[] = {
#embed "Web/Window/give.js"
};
static const unsigned char area_js[] = {
#embed "Web/Window/area.js"
};
static const unsigned char take_js[] = {
#embed "Web/Window/take.js"
};
static const unsigned char trust_js[] = {
#embed "Web/Peers/trust.js"
};
static const unsigned char phones_js[] = {
#embed "Web/Peers/phones.js"
};
static const unsigned char check_js[] = {
#embed "Web/Window/check.js"
};
static const unsigned char start_js[] = {
#embed "Web/Window/start.js"
};
static const unsigned char share_js[] = {
#embed "Web/Share/share.js"
};
static const unsigned char sending_js[] = {
#embed "Web/Tools/sending.js"
};
static const unsigned char upload_js[] = {
#embed "Web/Share/upload.js"
};
static const unsigned char tiles_js[] = {
#embed "Web/Map/tiles.js"
};
static const unsigned char profile_js[] = {
#embed "Web/Map/profile.js"
};
static const unsigned char clusters_js[] = {
#embed "Web/Map/clusters.js"
};
static const unsigned char waypoints_js[] = {
#embed "Web/Map/waypoints.js"
};
static const unsigned char search_js[] = {
#embed "Web/Map/search.js"
};
static const unsigned char panel_js[] = {
#embed "Web/Map/panel.js"
};
static const unsigned char map_js[] = {
#embed "Web/Map/map.js"
};
static const unsigned char saving_js[] = {
#embed "Web/Tools/saving.js"
};
static const unsigned char tools_js[] = {
#embed "Web/Tools/tools.js"
};
static const unsigned char places_js[] = {
#embed "Web/Tools/places.js"
};
static const unsigned char measuring_js[] = {
#embed "Web/Tools/measuring.js"
};
static const unsigned char position_js[] = {
#embed "Web/Tools/position.js"
};
static const unsigned char address_js[] = {
#embed "Web/Tools/address.js"
};
static const unsigned char printing_js[] = {
#embed "Web/Tools/printing.js"
};
static const unsigned char vector_schemas_js[] = {
#embed "Web/Vector/vector-schemas.js"
};
static const unsigned char vector_icons_js[] = {
#embed "Web/Vector/vector-icons.js"
};
static const unsigned char vector_style_js[] = {
#embed "Web/Vector/vector-style.js"
};
static const unsigned char vector_js[] = {
#embed "Web/Vector/vector.js"
};
static const unsigned char leaflet_licence_txt[] = {
#embed "Web/Map/leaflet-licence.txt"
};
static const unsigned char maplibre_licence_txt[] = {
#embed "Web/Vector/maplibre-licence.txt"
};

#define ASSET(name, bytes) {name, bytes, sizeof bytes}

static const CMapAsset assets[] = {
    ASSET("leaflet.js", leaflet_js),
    ASSET("leaflet.css", leaflet_css),
#if __has_embed("../../.build/maplibre/maplibre-gl.js")
    ASSET("maplibre.js", maplibre_js),
#endif
    ASSET("map.html", map_html),
    ASSET("list.html", list_html),
    ASSET("share.html", share_html),
    ASSET("style.css", style_css),
    ASSET("picture.css", picture_css),
    ASSET("window.css", window_css),
    ASSET("words.js", words_js),
    ASSET("list.js", list_js),
    ASSET("window-text.js", window_text_js),
    ASSET("window.js", window_js),
    ASSET("dialogs.js", dialogs_js),
    ASSET("exports.js", exports_js),
    ASSET("opened.js", opened_js),
    ASSET("add.js", add_js),
    ASSET("house.js", house_js),
    ASSET("marking.js", marking_js),
    ASSET("plan.js", plan_js),
    ASSET("plan-words.js", plan_words_js),
    ASSET("plan-layer.js", plan_layer_js),
    ASSET("plan-panel.js", plan_panel_js),
    ASSET("planning.js", planning_js),
    ASSET("ways.js", ways_js),
    ASSET("give.js", give_js),
    ASSET("area.js", area_js),
    ASSET("take.js", take_js),
    ASSET("trust.js", trust_js),
    ASSET("phones.js", phones_js),
    ASSET("check.js", check_js),
    ASSET("start.js", start_js),
    ASSET("share.js", share_js),
    ASSET("sending.js", sending_js),
    ASSET("upload.js", upload_js),
    ASSET("tiles.js", tiles_js),
    ASSET("profile.js", profile_js),
    ASSET("clusters.js", clusters_js),
    ASSET("waypoints.js", waypoints_js),
    ASSET("search.js", search_js),
    ASSET("panel.js", panel_js),
    ASSET("map.js", map_js),
    ASSET("saving.js", saving_js),
    ASSET("tools.js", tools_js),
    ASSET("places.js", places_js),
    ASSET("measuring.js", measuring_js),
    ASSET("position.js", position_js),
    ASSET("address.js", address_js),
    ASSET("printing.js", printing_js),
    ASSET("vector-schemas.js", vector_schemas_js),
    ASSET("vector-icons.js", vector_icons_js),
    ASSET("vector-style.js", vector_style_js),
    ASSET("vector.js", vector_js),
    ASSET("leaflet-licence.txt", leaflet_licence_txt),
    ASSET("maplibre-licence.txt", maplibre_licence_txt),
};

const CMapAsset *cmapassets(size_t *count) {
    *count = sizeof assets / sizeof *assets;
    return assets;
}

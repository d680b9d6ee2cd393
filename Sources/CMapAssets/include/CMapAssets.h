#ifndef CMAPASSETS_H
#define CMAPASSETS_H

#include <stddef.h>

/// The bytes of a file that is a part of the program.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} CMapAsset;

/// Leaflet's script, of the Debian package libjs-leaflet.
CMapAsset cmapassets_leaflet_script(void);
/// Leaflet's style sheet.
CMapAsset cmapassets_leaflet_style(void);
/// Leaflet's licence.
CMapAsset cmapassets_leaflet_licence(void);
/// MapLibre's script, of the wheel that Scripts/setup downloads; empty if the program is built without it.
CMapAsset cmapassets_maplibre_script(void);
/// MapLibre's licence.
CMapAsset cmapassets_maplibre_licence(void);
/// The frame of the page with a map.
CMapAsset cmapassets_map_page(void);
/// The frame of the page with the list of regions.
CMapAsset cmapassets_list_page(void);
/// The frame of the page for phones.
CMapAsset cmapassets_share_page(void);
/// The style sheet of all pages.
CMapAsset cmapassets_style(void);
/// The style sheet of an HTML file where scripts do not run.
CMapAsset cmapassets_picture_style(void);
/// The script of the list of regions.
CMapAsset cmapassets_list_script(void);
/// The scripts of the window, in the order in which they run.
CMapAsset cmapassets_window_text_script(void);
CMapAsset cmapassets_window_script(void);
/// The style sheet of the window.
CMapAsset cmapassets_window_style(void);
/// The script of the page for phones.
CMapAsset cmapassets_share_script(void);
/// The script that sends files from phones.
CMapAsset cmapassets_upload_script(void);
/// The scripts of the map, in the order in which they run.
CMapAsset cmapassets_words_script(void);
CMapAsset cmapassets_tiles_script(void);
CMapAsset cmapassets_profile_script(void);
CMapAsset cmapassets_clusters_script(void);
CMapAsset cmapassets_waypoints_script(void);
CMapAsset cmapassets_saving_script(void);
CMapAsset cmapassets_search_script(void);
CMapAsset cmapassets_panel_script(void);
CMapAsset cmapassets_tools_script(void);
CMapAsset cmapassets_places_script(void);
CMapAsset cmapassets_measuring_script(void);
CMapAsset cmapassets_position_script(void);
CMapAsset cmapassets_address_script(void);
CMapAsset cmapassets_printing_script(void);
CMapAsset cmapassets_map_script(void);

/// The scripts of maps with vector tiles, in the order in which they run.
CMapAsset cmapassets_vector_schemas_script(void);
CMapAsset cmapassets_vector_icons_script(void);
CMapAsset cmapassets_vector_style_script(void);
CMapAsset cmapassets_vector_script(void);

#endif

#pragma once

#include <stdbool.h>

// Functions of cairo 1.16, Pango 1.50, GObject and Fontconfig, or later, with the names and types of their headers.
//
// The libraries are loaded when the first sheet is drawn. The program also runs without them, and is built without their headers.

typedef struct _cairo CairoContext;
typedef struct _cairo_surface CairoSurface;
typedef struct _cairo_pattern CairoPattern;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;

typedef int (*CairoWrite)(void *_Nullable closure, const unsigned char *_Nonnull data, unsigned int length);
typedef int (*CairoRead)(void *_Nullable closure, unsigned char *_Nonnull data, unsigned int length);
typedef CairoSurface *_Nullable (*CairoAcquire)(
    CairoPattern *_Nonnull pattern, void *_Nullable data, CairoSurface *_Nullable target, const void *_Nullable extents);
typedef void (*CairoRelease)(CairoPattern *_Nonnull pattern, void *_Nullable data, CairoSurface *_Nonnull surface);

// Each has the type of the result, the name, and the types of the parameters.
#define CCAIRO_FUNCTIONS(X) \
    X(CairoSurface *_Nonnull, cairo_pdf_surface_create_for_stream, (CairoWrite _Nonnull, void *_Nullable, double, double)) \
    X(void, cairo_pdf_surface_set_metadata, (CairoSurface *_Nonnull, int, const char *_Nonnull)) \
    X(void, cairo_surface_finish, (CairoSurface *_Nonnull)) \
    X(int, cairo_surface_status, (CairoSurface *_Nonnull)) \
    X(void, cairo_surface_destroy, (CairoSurface *_Nonnull)) \
    X(int, cairo_surface_set_mime_data, \
        (CairoSurface *_Nonnull, const char *_Nonnull, const unsigned char *_Nonnull, unsigned long, \
         void (*_Nullable)(void *_Nullable), void *_Nullable)) \
    X(CairoSurface *_Nonnull, cairo_image_surface_create, (int, int, int)) \
    X(CairoSurface *_Nonnull, cairo_image_surface_create_from_png_stream, (CairoRead _Nonnull, void *_Nullable)) \
    X(CairoContext *_Nonnull, cairo_create, (CairoSurface *_Nonnull)) \
    X(void, cairo_destroy, (CairoContext *_Nonnull)) \
    X(void, cairo_save, (CairoContext *_Nonnull)) \
    X(void, cairo_restore, (CairoContext *_Nonnull)) \
    X(void, cairo_translate, (CairoContext *_Nonnull, double, double)) \
    X(void, cairo_scale, (CairoContext *_Nonnull, double, double)) \
    X(void, cairo_new_path, (CairoContext *_Nonnull)) \
    X(void, cairo_move_to, (CairoContext *_Nonnull, double, double)) \
    X(void, cairo_line_to, (CairoContext *_Nonnull, double, double)) \
    X(void, cairo_arc, (CairoContext *_Nonnull, double, double, double, double, double)) \
    X(void, cairo_rectangle, (CairoContext *_Nonnull, double, double, double, double)) \
    X(void, cairo_show_page, (CairoContext *_Nonnull)) \
    X(void, cairo_clip, (CairoContext *_Nonnull)) \
    X(void, cairo_fill, (CairoContext *_Nonnull)) \
    X(void, cairo_stroke, (CairoContext *_Nonnull)) \
    X(void, cairo_set_source_rgba, (CairoContext *_Nonnull, double, double, double, double)) \
    X(void, cairo_set_source, (CairoContext *_Nonnull, CairoPattern *_Nonnull)) \
    X(void, cairo_set_line_width, (CairoContext *_Nonnull, double)) \
    X(void, cairo_set_line_cap, (CairoContext *_Nonnull, int)) \
    X(void, cairo_set_line_join, (CairoContext *_Nonnull, int)) \
    X(void, cairo_set_dash, (CairoContext *_Nonnull, const double *_Nullable, int, double)) \
    X(CairoPattern *_Nonnull, cairo_pattern_create_raster_source, (void *_Nullable, int, int, int)) \
    X(CairoPattern *_Nonnull, cairo_pattern_create_for_surface, (CairoSurface *_Nonnull)) \
    X(void, cairo_raster_source_pattern_set_acquire, (CairoPattern *_Nonnull, CairoAcquire _Nonnull, CairoRelease _Nonnull)) \
    X(void, cairo_pattern_destroy, (CairoPattern *_Nonnull)) \
    X(PangoLayout *_Nonnull, pango_cairo_create_layout, (CairoContext *_Nonnull)) \
    X(void, pango_cairo_show_layout, (CairoContext *_Nonnull, PangoLayout *_Nonnull)) \
    X(void, pango_layout_set_text, (PangoLayout *_Nonnull, const char *_Nonnull, int)) \
    X(void, pango_layout_set_width, (PangoLayout *_Nonnull, int)) \
    X(void, pango_layout_set_ellipsize, (PangoLayout *_Nonnull, int)) \
    X(void, pango_layout_set_single_paragraph_mode, (PangoLayout *_Nonnull, int)) \
    X(void, pango_layout_set_font_description, (PangoLayout *_Nonnull, const PangoFontDescription *_Nonnull)) \
    X(void, pango_layout_get_size, (PangoLayout *_Nonnull, int *_Nullable, int *_Nullable)) \
    X(PangoFontDescription *_Nonnull, pango_font_description_from_string, (const char *_Nonnull)) \
    X(void, pango_font_description_set_absolute_size, (PangoFontDescription *_Nonnull, double)) \
    X(void, pango_font_description_free, (PangoFontDescription *_Nonnull)) \
    X(void, g_object_unref, (void *_Nonnull))

typedef struct {
#define CCAIRO_FIELD(result, name, parameters) result (*_Nonnull name) parameters;
    CCAIRO_FUNCTIONS(CCAIRO_FIELD)
#undef CCAIRO_FIELD
} CCairo;

/// Returns the functions; null if a library is not installed, or if this machine has no fonts, without which Pango ends programs.
const CCairo *_Nullable ccairo_functions(void);

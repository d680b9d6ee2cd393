internal import CCairo
internal import Glibc

/// A sheet of paper that becomes a PDF file: the owner of cairo's objects.
///
/// Positions and lengths are in points of 1/72 inch.
final class SheetCanvas {
    /// Where the file goes.
    private final class Output {
        let write: ([UInt8]) throws -> Void
        var error: (any Error)?

        init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }
    }

    private static let writeError: CInt = 11
    let functions: CCairo
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let output: Output
    /// They are read until the sheet is finished.
    private var images: [SheetImage] = []
    /// Whether this machine has the libraries and a font that sheets need.
    static var isPossible: Bool { ccairo_functions() != nil }

    /// Begins a sheet; nil if this machine cannot make any.
    init?(_ size: (width: Double, height: Double), title: String, to write: @escaping ([UInt8]) throws -> Void) {
        guard let functions = ccairo_functions()?.pointee else { return nil }
        self.functions = functions
        output = Output(write)
        surface = functions.cairo_pdf_surface_create_for_stream(
            { closure, data, length in
                guard let closure else { return SheetCanvas.writeError }
                let output = Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue()
                do {
                    try output.write(Array(UnsafeBufferPointer(start: data, count: Int(length))))
                    return 0
                } catch {
                    output.error = error
                    return SheetCanvas.writeError
                }
            },
            Unmanaged.passUnretained(output).toOpaque(),
            size.width,
            size.height
        )
        functions.cairo_pdf_surface_set_metadata(surface, 0, title)
        context = functions.cairo_create(surface)
        functions.cairo_set_line_cap(context, 1)
        functions.cairo_set_line_join(context, 1)
    }

    deinit {
        functions.cairo_destroy(context)
        functions.cairo_surface_destroy(surface)
    }

    func finish() throws -> Bool {
        functions.cairo_surface_finish(surface)
        images = []
        if let error = output.error { throw error }
        return functions.cairo_surface_status(surface) == 0
    }

    /// Draws within a box, with its corner as the origin and its points as large as `scale` says.
    func within<Result>(_ box: PictureFrame.Box, scale: Double, _ body: () throws -> Result) rethrows -> Result {
        functions.cairo_save(context)
        functions.cairo_rectangle(context, box.left, box.top, box.width, box.height)
        functions.cairo_clip(context)
        functions.cairo_translate(context, box.left, box.top)
        functions.cairo_scale(context, scale, scale)
        defer { functions.cairo_restore(context) }
        return try body()
    }

    func draw(_ image: SheetImage, x: Double, y: Double, length: Double) {
        images.append(image)
        let pattern = image.pattern()
        functions.cairo_save(context)
        functions.cairo_translate(context, x, y)
        functions.cairo_scale(context, length / Double(image.width), length / Double(image.height))
        functions.cairo_set_source(context, pattern)
        functions.cairo_rectangle(context, 0, 0, Double(image.width), Double(image.height))
        functions.cairo_fill(context)
        functions.cairo_restore(context)
        functions.cairo_pattern_destroy(pattern)
    }

    func stroke(_ lines: [[PictureFrame.Point]], _ color: Color, width: Double, dashes: [Double] = []) {
        functions.cairo_new_path(context)
        for line in lines {
            guard let first = line.first else { continue }
            functions.cairo_move_to(context, first.x, first.y)
            for point in line.dropFirst() { functions.cairo_line_to(context, point.x, point.y) }
        }
        set(color)
        functions.cairo_set_line_width(context, width)
        dashes.withUnsafeBufferPointer { functions.cairo_set_dash(context, $0.baseAddress, CInt($0.count), 0) }
        functions.cairo_stroke(context)
    }

    /// Draws a box with round ends and a white edge around it.
    func pill(_ box: PictureFrame.Box, edge: Double, _ color: Color) {
        let (middle, half) = (box.top + box.height / 2, box.height / 2)
        let ends = [box.left + half, max(box.left + half, box.left + box.width - half)]
        for (radius, color) in [(half, Color.white), (half - edge, color)] {
            functions.cairo_new_path(context)
            functions.cairo_arc(context, ends[0], middle, max(0, radius), .pi / 2, 3 * .pi / 2)
            functions.cairo_arc(context, ends[1], middle, max(0, radius), -.pi / 2, .pi / 2)
            set(color)
            functions.cairo_fill(context)
        }
    }

    /// Ends a page and begins the next one.
    func beginPage() { functions.cairo_show_page(context) }

    /// Returns how wide a text is.
    func width(of text: String, size: Double) -> Double {
        let layout = layout(of: text, size: size, isBold: false)
        defer { functions.g_object_unref(UnsafeMutableRawPointer(layout)) }
        return self.size(of: layout).width
    }

    /// Sets one line of text, without what would end it.
    private func layout(of text: String, size: Double, isBold: Bool) -> OpaquePointer {
        let layout = functions.pango_cairo_create_layout(context)
        let font = functions.pango_font_description_from_string(isBold ? "Sans Bold" : "Sans")
        functions.pango_font_description_set_absolute_size(font, size * 1024)
        functions.pango_layout_set_font_description(layout, font)
        functions.pango_font_description_free(font)
        functions.pango_layout_set_single_paragraph_mode(layout, 1)
        // A zero would end the text.
        let bytes = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let words = String(String.UnicodeScalarView(bytes))
        functions.pango_layout_set_text(layout, words, CInt(words.utf8.count))
        return layout
    }

    private func size(of layout: OpaquePointer) -> (width: Double, height: Double) {
        var (width, height): (CInt, CInt) = (0, 0)
        functions.pango_layout_get_size(layout, &width, &height)
        return (Double(width) / 1024, Double(height) / 1024)
    }

    /// Writes one line of text, from a position at its left and top, or around it.
    ///
    /// - Parameter limit: The maximum width, beyond which an ellipsis stands; nil for any.
    func write(
        _ text: String,
        _ x: Double,
        _ y: Double,
        size: Double,
        limit: Double? = nil,
        _ color: Color = .ink,
        isBold: Bool = false,
        isCentered: Bool = false,
        hasPaper: Bool = false
    ) {
        let layout = layout(of: text, size: size, isBold: isBold)
        defer { functions.g_object_unref(UnsafeMutableRawPointer(layout)) }
        if let limit {
            functions.pango_layout_set_width(layout, CInt(max(1, limit) * 1024))
            functions.pango_layout_set_ellipsize(layout, 3)
        }
        let (wide, tall) = self.size(of: layout)
        let (left, top) = isCentered ? (x - wide / 2, y - tall / 2) : (x, y)
        if hasPaper {
            functions.cairo_rectangle(context, left - 1, top, wide + 2, tall)
            set(.paper)
            functions.cairo_fill(context)
        }
        set(color)
        functions.cairo_move_to(context, left, top)
        functions.pango_cairo_show_layout(context, layout)
        functions.cairo_new_path(context)
    }

    struct Color: Hashable {
        var red: Double
        var green: Double
        var blue: Double
        var opacity = 1.0
        static let white = Color(red: 1, green: 1, blue: 1)
        static let ink = Color(red: 0.1, green: 0.12, blue: 0.11)
        static let paper = Color(red: 1, green: 1, blue: 1, opacity: 0.7)

    }

    private func set(_ color: Color) {
        functions.cairo_set_source_rgba(context, color.red, color.green, color.blue, color.opacity)
    }
}

extension SheetCanvas.Color {
    /// Reads a colour such as `#1557d6`.
    init(_ text: String) {
        let value = UInt32(text.dropFirst(), radix: 16) ?? 0
        func share(_ shift: UInt32) -> Double { Double(value >> shift & 255) / 255 }
        self.init(red: share(16), green: share(8), blue: share(0))
    }
}

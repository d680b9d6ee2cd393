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

    /// Whether this machine has what makes sheets.
    static var isPossible: Bool { ccairo_functions() != nil }

    /// Begins a sheet; nil if this machine has not what makes them.
    init?(width: Double, height: Double, title: String, to write: @escaping ([UInt8]) throws -> Void) {
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
            width,
            height
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

    /// Ends the sheet.
    ///
    /// - Returns: Whether it is complete.
    /// - Throws: The error of the output.
    func finish() throws -> Bool {
        functions.cairo_surface_finish(surface)
        images = []
        if let error = output.error { throw error }
        return functions.cairo_surface_status(surface) == 0
    }

    /// Draws within an area, with its corner as the origin and its points as large as `scale` says.
    func within(
        left: Double,
        top: Double,
        width: Double,
        height: Double,
        scale: Double,
        _ body: () throws -> Void
    ) rethrows {
        functions.cairo_save(context)
        functions.cairo_rectangle(context, left, top, width, height)
        functions.cairo_clip(context)
        functions.cairo_translate(context, left, top)
        functions.cairo_scale(context, scale, scale)
        defer { functions.cairo_restore(context) }
        try body()
    }

    /// Draws an image as a square.
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

    /// Draws lines.
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

    /// Fills a rectangle.
    func fill(left: Double, top: Double, width: Double, height: Double, _ color: Color) {
        functions.cairo_rectangle(context, left, top, width, height)
        set(color)
        functions.cairo_fill(context)
    }

    /// Draws a disc with a white edge.
    func disc(_ x: Double, _ y: Double, radius: Double, _ color: Color) {
        for (radius, color) in [(radius * 1.25, Color.white), (radius, color)] {
            functions.cairo_new_path(context)
            functions.cairo_arc(context, x, y, radius, 0, 2 * .pi)
            set(color)
            functions.cairo_fill(context)
        }
    }

    /// Writes one line of text, from a position at its left and top, or around it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - x: The position from the left.
    ///   - y: The position from the top.
    ///   - size: The size of the letters.
    ///   - limit: The maximum width, beyond which an ellipsis stands; nil for any.
    ///   - color: The colour.
    ///   - isBold: Whether the letters are bold.
    ///   - isCentered: Whether the position is in the middle of the text.
    ///   - hasPaper: Whether there is light paper behind the letters.
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
        let layout = functions.pango_cairo_create_layout(context)
        defer { functions.g_object_unref(UnsafeMutableRawPointer(layout)) }
        let font = functions.pango_font_description_from_string(isBold ? "Sans Bold" : "Sans")
        functions.pango_font_description_set_absolute_size(font, size * 1024)
        functions.pango_layout_set_font_description(layout, font)
        functions.pango_font_description_free(font)
        functions.pango_layout_set_single_paragraph_mode(layout, 1)
        if let limit {
            functions.pango_layout_set_width(layout, CInt(max(1, limit) * 1024))
            functions.pango_layout_set_ellipsize(layout, 3)
        }
        // A zero would end the text.
        let bytes = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let words = String(String.UnicodeScalarView(bytes))
        functions.pango_layout_set_text(layout, words, CInt(words.utf8.count))
        var (width, height): (CInt, CInt) = (0, 0)
        functions.pango_layout_get_size(layout, &width, &height)
        let (wide, tall) = (Double(width) / 1024, Double(height) / 1024)
        let (left, top) = isCentered ? (x - wide / 2, y - tall / 2) : (x, y)
        if hasPaper { fill(left: left - 1, top: top, width: wide + 2, height: tall, .paper) }
        set(color)
        functions.cairo_move_to(context, left, top)
        functions.pango_cairo_show_layout(context, layout)
        functions.cairo_new_path(context)
    }

    /// A colour.
    struct Color: Hashable {
        var red: Double
        var green: Double
        var blue: Double
        var opacity = 1.0

        static let white = Color(red: 1, green: 1, blue: 1)
        static let ink = Color(red: 0.1, green: 0.12, blue: 0.11)
        static let paper = Color(red: 1, green: 1, blue: 1, opacity: 0.7)

        /// Reads a colour such as `#1557d6`.
        init(_ text: String) {
            let value = UInt32(text.dropFirst(), radix: 16) ?? 0
            red = Double(value >> 16 & 255) / 255
            green = Double(value >> 8 & 255) / 255
            blue = Double(value & 255) / 255
        }

        private init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
            (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
        }
    }

    private func set(_ color: Color) {
        functions.cairo_set_source_rgba(context, color.red, color.green, color.blue, color.opacity)
    }
}

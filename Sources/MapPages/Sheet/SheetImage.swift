internal import CCairo
internal import Glibc
internal import RegionStore

/// A tile as an image on a sheet, unpacked when it is written, so that only one is in memory.
final class SheetImage {
    /// The maximum width and height, in pixels.
    private static let maximumLength = 1024

    /// The numbers of cairo.h.
    private enum Cairo {
        static let readError: CInt = 10
        static let rgb24: CInt = 1
    }

    private let bytes: [UInt8]
    private let functions: CCairo
    let width: Int
    let height: Int
    private var position = 0
    /// A JPEG image, which has its packed bytes and no points: its memory is never touched.
    private var packed: OpaquePointer?

    /// Describes a tile; nil if its format or size is not one that a sheet takes, or if it cannot be unpacked.
    init?(_ tile: MapTile, _ functions: CCairo) {
        guard let format = tile.format, format == .png || format == .jpg,
            let (width, height) = TileImage.size(ofImageBeginningWith: tile.data),
            (1...Self.maximumLength).contains(width), (1...Self.maximumLength).contains(height)
        else { return nil }
        bytes = tile.data
        self.functions = functions
        self.width = width
        self.height = height
        if format == .jpg {
            let surface = functions.cairo_image_surface_create(Cairo.rgb24, CInt(width), CInt(height))
            packed = surface
            guard attach(to: surface) else { return nil }
        } else {
            // A source that fails would spoil the whole sheet.
            let surface = unpacked()
            defer { functions.cairo_surface_destroy(surface) }
            guard functions.cairo_surface_status(surface) == 0 else { return nil }
        }
    }

    deinit { if let packed { functions.cairo_surface_destroy(packed) } }

    private func attach(to surface: OpaquePointer) -> Bool {
        guard let copy = malloc(bytes.count) else { return false }
        let pointer = copy.assumingMemoryBound(to: UInt8.self)
        pointer.initialize(from: bytes, count: bytes.count)
        guard
            functions.cairo_surface_set_mime_data(surface, "image/jpeg", pointer, UInt(bytes.count), { free($0) }, copy)
                == 0
        else {
            free(copy)
            return false
        }
        return true
    }

    private func unpacked() -> OpaquePointer {
        position = 0
        return functions.cairo_image_surface_create_from_png_stream(
            { closure, data, length in
                guard let closure else { return Cairo.readError }
                let image = Unmanaged<SheetImage>.fromOpaque(closure).takeUnretainedValue()
                return image.read(UnsafeMutableBufferPointer(start: data, count: Int(length)))
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func read(_ target: UnsafeMutableBufferPointer<UInt8>) -> CInt {
        guard target.count <= bytes.count - position else { return Cairo.readError }
        _ = target.update(fromContentsOf: bytes[position..<position + target.count])
        position += target.count
        return 0
    }

    /// Creates a source that unpacks the image when it is needed; the image must live as long as the sheet.
    func pattern() -> OpaquePointer {
        if let packed { return functions.cairo_pattern_create_for_surface(packed) }
        let (color, object) = (CInt(0x1000), Unmanaged.passUnretained(self).toOpaque())
        let pattern = functions.cairo_pattern_create_raster_source(object, color, CInt(width), CInt(height))
        functions.cairo_raster_source_pattern_set_acquire(
            pattern,
            { _, data, _, _ in data.flatMap { Unmanaged<SheetImage>.fromOpaque($0).takeUnretainedValue().unpacked() } },
            { _, data, surface in
                guard let data else { return }
                let image = Unmanaged<SheetImage>.fromOpaque(data).takeUnretainedValue()
                image.functions.cairo_surface_destroy(surface)
            }
        )
        return pattern
    }
}

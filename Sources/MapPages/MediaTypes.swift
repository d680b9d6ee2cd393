internal import RegionStore

extension TileFormat {
    /// The media type of an image; nil for vector tiles.
    var imageType: String? { self == .pbf ? nil : "image/" + dataType }

    var dataType: String { self == .jpg ? "jpeg" : rawValue }
}

extension PhotoFormat {
    /// The media type, which follows from the bytes of the photo.
    var contentType: String { "image/\(rawValue)" }
}

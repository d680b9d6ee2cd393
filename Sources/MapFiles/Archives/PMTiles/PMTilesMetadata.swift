import PeerProtocol

/// The metadata of a PMTiles archive, which are a JSON object, as those of an MBTiles file.
enum PMTilesMetadata {
    /// The keys whose values are texts in both kinds of file.
    private static let keys = Set(["name", "description", "attribution", "type", "version"] + MapDate.keys)

    /// What MBTiles files keep in their key `json`.
    private static let layers = "vector_layers"

    /// The maximum length of a text, in bytes.
    private static let maximumTextLength = 100_000

    /// Reads metadata.
    ///
    /// - Throws: ``ArchiveFault`` if the bytes are not a JSON object.
    static func read(_ json: [UInt8]) throws(ArchiveFault) -> [String: String] {
        do {
            return try metadata(json)
        } catch {
            throw ArchiveFault("its metadata are not a JSON object")
        }
    }

    private static func metadata(_ json: [UInt8]) throws -> [String: String] {
        var metadata: [String: String] = [:]
        var scanner = JSONScanner(json, .list)
        var limits = JSONScanner.Limits(length: json.count, valueCount: json.count)
        try scanner.readElements("{") { scanner in
            var bytes: [UInt8] = []
            let key = String(decoding: try scanner.copyKey(to: &bytes, &limits), as: UTF8.self)
            bytes.removeAll()
            try scanner.copyValue(to: &bytes, &limits)
            if key == layers, bytes.first == UInt8(ascii: "["), metadata["json"] == nil {
                metadata["json"] = "{\"\(layers)\":\(String(decoding: bytes, as: UTF8.self))}"
            } else if keys.contains(key), metadata[key] == nil, let text = try text(bytes), !text.isEmpty {
                metadata[key] = text
            }
        }
        return metadata
    }

    /// The text of a JSON string; nil for another value, or if it is too long.
    private static func text(_ json: [UInt8]) throws -> String? {
        guard json.first == UInt8(ascii: "\""), json.count <= maximumTextLength else { return nil }
        var scanner = JSONScanner(json, .list)
        var bytes: [UInt8] = []
        try scanner.readString(inPiecesOf: maximumTextLength) { bytes += $0 }
        // In the store, a text would end at a zero character.
        return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }
}

extension PMTilesHeader {
    /// What the header says, by the keys that MBTiles files use.
    var mbtilesMetadata: [String: String] {
        var metadata: [String: String] = [:]
        func degrees(_ number: Int32) -> String { "\(Double(number) / 10_000_000)" }
        metadata["format"] = tileType.format
        // An archive without bounds has zeros, or the whole world.
        if bounds[0] < bounds[2], bounds[1] < bounds[3] {
            metadata["bounds"] = bounds.map(degrees).joined(separator: ",")
            if zoomLevels.contains(centerZoom) {
                metadata["center"] = (center.map(degrees) + ["\(centerZoom)"]).joined(separator: ",")
            }
        }
        return metadata
    }
}

import PeerProtocol

/// The metadata of tiles in a JSON object, as those of an MBTiles file.
enum TileMetadata {
    /// The keys whose values are texts in MBTiles files, too.
    static let keys = Set(
        ["name", "description", "attribution", "type", "version", MapDate.newestKey, TileEditions.key] + MapDate.keys
    )

    /// What MBTiles files keep in their key `json`.
    private static let layers = "vector_layers"

    /// The maximum length of a text, in bytes.
    private static let maximumTextLength = 100_000

    /// Reads metadata.
    ///
    /// - Parameter keys: The keys that are kept if their values are texts, or arrays of numbers.
    static func read(_ json: [UInt8], keys: Set<String> = keys) throws(ArchiveFault) -> [String: String] {
        do {
            return try metadata(json, keys)
        } catch {
            throw ArchiveFault("its metadata are not a JSON object")
        }
    }

    private static func metadata(_ json: [UInt8], _ keys: Set<String>) throws -> [String: String] {
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

    /// The text of a JSON string, or the numbers of an array, such as bounds; nil for another value, or if it is too long.
    private static func text(_ json: [UInt8]) throws -> String? {
        if json.first == UInt8(ascii: "["), json.count <= 1000 {
            let numbers = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
            return numbers.contains { "[{\"".contains($0) } ? nil : numbers
        }
        guard json.first == UInt8(ascii: "\""), json.count <= maximumTextLength else { return nil }
        var scanner = JSONScanner(json, .list)
        var bytes: [UInt8] = []
        try scanner.readString(inPiecesOf: maximumTextLength) { bytes += $0 }
        // In the store, a text would end at a zero character.
        return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }
}

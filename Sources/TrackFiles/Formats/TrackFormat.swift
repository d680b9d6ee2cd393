/// The formats of files of tracks.
package enum TrackFormat: Hashable, Sendable {
    /// GPX, KML or TCX, by the root; or other XML.
    case xml
    /// GeoJSON (RFC 7946).
    case geoJSON
    /// FIT, the binary format of devices for sports.
    case fit
    /// A ZIP file, which may be KMZ.
    case zip

    /// The names of all formats that are read, for people.
    package static let names = "GPX, KML, KMZ, GeoJSON, TCX or FIT"

    /// Detects a format by the first bytes of a file, not by its name; nil for any other file.
    package init?(beginning bytes: [UInt8]) {
        func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        // A byte order mark, leading spaces, the zero bytes of UTF-16, and the mark before JSON in a sequence are ignored.
        let skipped: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D, 0x1E]
        if begins("PK\u{3}\u{4}") || begins("PK\u{5}\u{6}") {
            self = .zip
        } else if begins(".FIT", at: 8), [12, 14].contains(bytes[0]) {
            self = .fit
        } else {
            switch bytes.first(where: { !skipped.contains($0) }) {
            case UInt8(ascii: "<"): self = .xml
            case UInt8(ascii: "{"):
                let text = String(decoding: bytes, as: UTF8.self)
                guard Self.marks.contains(where: { text.contains($0) }) else { return nil }
                self = .geoJSON
            default: return nil
            }
        }
    }

    // There are many other files of JSON.
    private static let marks = ["\"Feature\"", "\"FeatureCollection\"", "\"coordinates\"", "\"Topology\""]
}

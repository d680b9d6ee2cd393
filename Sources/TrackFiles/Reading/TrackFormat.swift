package import RegionModel

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

/// Files of other kinds that are often taken for files of tracks.
package enum OtherFormat {
    /// Returns the error for a file that is certainly no file of tracks, by its first bytes; nil for any other.
    package static func error(beginning bytes: [UInt8]) -> RegionStoreError? {
        func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if bytes.isEmpty {
            return RegionStoreError(.invalidFile, "The file is empty.", remedy: "Export it again.")
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return other("a file compressed by gzip", remedy: "Unpack it with 'gunzip', and import the file in it.")
        }
        if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            return RegionStoreError(
                .invalidFile,
                "This is not a map in the form of MBTiles: it is a TIFF file.",
                remedy: "Convert it with GDAL: gdal_translate -of MBTILES FILE.tif FILE.mbtiles"
            )
        }
        // The pages that hikeshare writes.
        if begins("<!doctype html>"), String(decoding: bytes.prefix(512), as: UTF8.self).contains("data-ready=") {
            return RegionStoreError(
                .invalidFile,
                "This is a page with a map for browsers, not the map itself.",
                remedy: "Import the map from which it was made (.mbtiles)."
            )
        }
        return nil
    }

    /// The error for a file of which nothing is known.
    static let unknown = RegionStoreError(
        .invalidFile,
        "This is not a \(TrackFormat.names) file.",
        remedy: "Export it again in one of these formats."
    )

    /// Returns the error for an XML file, by the name of its root without a prefix.
    static func error(root: String) -> RegionStoreError {
        switch root.lowercased() {
        case "loc": other("a file of geocaching.com", remedy: conversion("geo", "loc"))
        case "osm": other("a file of OpenStreetMap", remedy: conversion("osm", "osm"))
        case "html": webPage
        default:
            other(
                "another kind of XML",
                remedy: "Export it as GPX in the program that made it, or convert it with GPSBabel."
            )
        }
    }

    /// Returns the error for a file with a document type.
    static func error(documentType: String) -> RegionStoreError {
        if documentType.lowercased() == "html" { return webPage }
        return other(
            "XML with a document type, which none of them has",
            remedy: "Export it again as GPX, or convert it with GPSBabel."
        )
    }

    /// Returns the error for a file that is something else.
    static func other(_ kind: String, remedy: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "This is not a \(TrackFormat.names) file: it is \(kind).", remedy: remedy)
    }

    private static let webPage = other(
        "a web page",
        remedy: "Download the file itself. You may have to log in first."
    )

    private static func conversion(_ format: String, _ suffix: String) -> String {
        "Convert it with GPSBabel: gpsbabel -i \(format) -f FILE.\(suffix) -o gpx -F FILE.gpx"
    }
}

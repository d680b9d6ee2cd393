package import RegionModel

/// Files of other kinds that are often taken for files of tracks.
package enum OtherFormat {
    /// Returns the error for a file that is certainly no file of tracks, by its first bytes; nil for any other.
    package static func error(beginning bytes: [UInt8]) -> RegionStoreError? {
        func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if bytes.isEmpty {
            return RegionStoreError(.invalidFile, "The file is empty.", remedy: "Export it again.")
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return other("a file compressed by gzip", remedy: "Unpack it, and choose the file in it.")
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

    /// The error for a file of an unknown kind.
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

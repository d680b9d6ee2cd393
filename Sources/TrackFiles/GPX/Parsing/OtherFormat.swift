package import RegionModel

/// Files of other kinds that are often taken for GPX files.
package enum OtherFormat {
    /// Returns the error for a file that is certainly no GPX file, by its first bytes; nil for any other.
    package static func error(beginning bytes: [UInt8]) -> RegionStoreError? {
        func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.isEmpty {
            return RegionStoreError(.invalidFile, "The file is empty.", remedy: "Export it again as GPX.")
        }
        if begins("PK\u{3}\u{4}") {
            return other("a ZIP archive", remedy: "Unpack it, and import the GPX files in it.")
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return other("a file compressed by gzip", remedy: "Unpack it with 'gunzip', and import the GPX file in it.")
        }
        if begins(".FIT", at: 8) { return other("a FIT file", remedy: conversion("garmin_fit", "fit")) }
        return nil
    }

    /// Returns the error for an XML file, by the name of its root without a prefix.
    static func error(root: String) -> RegionStoreError {
        switch root.lowercased() {
        case "kml": other("a KML file", remedy: conversion("kml", "kml"))
        case "trainingcenterdatabase": other("a TCX file", remedy: conversion("gtrnctr", "tcx"))
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
        return RegionStoreError(
            .invalidFile,
            "This is not a GPX file: it has a document type, which GPX does not allow.",
            remedy: "Export it again as GPX, or convert it with GPSBabel."
        )
    }

    private static let webPage = other(
        "a web page",
        remedy: "Download the GPX file itself. You may have to log in first."
    )

    private static func other(_ kind: String, remedy: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "This is not a GPX file: it is \(kind).", remedy: remedy)
    }

    private static func conversion(_ format: String, _ suffix: String) -> String {
        "Convert it with GPSBabel: gpsbabel -i \(format) -f FILE.\(suffix) -o gpx -F FILE.gpx"
    }
}

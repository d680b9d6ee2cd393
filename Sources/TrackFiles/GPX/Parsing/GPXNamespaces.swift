package import RegionModel

/// The prefixes of GPX, and of our own extension, in a file.
///
/// A file may bind several prefixes to the namespace of GPX, or none at all.
struct GPXNamespaces {
    private static let names = ["http://www.topografix.com/GPX/1/0", "http://www.topografix.com/GPX/1/1"]

    /// The namespace of the root; nil if it has none.
    private let namespace: String?
    /// The prefixes of GPX, each with its colon; the default namespace is an empty one.
    private var prefixes: Set<String>
    /// The prefixes of our own extension, each with its colon.
    let identity: Set<String>

    /// Reads the root of a file.
    ///
    /// - Parameters:
    ///   - root: The name of the root, with its prefix.
    ///   - attributes: The attributes of the root.
    init(root: String, _ attributes: [String: String]) {
        let prefix = Self.prefix(root)
        namespace = attributes[Self.declaration(prefix)]
        prefixes = [prefix]
        identity = GPXIdentity.prefixes(in: attributes)
        guard let namespace else { return }
        for (key, value) in attributes where value == namespace {
            if key == "xmlns" { prefixes.insert("") }
            if key.hasPrefix("xmlns:") { prefixes.insert(key.dropFirst(6) + ":") }
        }
    }

    /// Returns the name of an element of GPX without its prefix; nil if it is in another namespace.
    ///
    /// - Parameters:
    ///   - name: The name, with its prefix.
    ///   - attributes: The attributes of the element, which may bind its prefix.
    /// - Returns: The name, or nil.
    func own(_ name: String, _ attributes: [String: String]) -> Substring? {
        let prefix = Self.prefix(name)
        if !attributes.isEmpty, let other = attributes[Self.declaration(prefix)] {
            guard other == namespace || Self.names.contains(other) else { return nil }
        } else if !prefixes.contains(prefix) {
            return nil
        }
        return name.dropFirst(prefix.count)
    }

    /// Returns the prefix of a name with its colon; empty if it has none.
    static func prefix(_ name: String) -> String {
        let colon = name.utf8.firstIndex(of: 0x3A).map { name.utf8.index(after: $0) } ?? name.startIndex
        return String(name[..<colon])
    }

    /// Returns the name of the attribute that binds a prefix.
    static func declaration(_ prefix: String) -> String {
        prefix.isEmpty ? "xmlns" : "xmlns:" + prefix.dropLast()
    }
}

/// Files of other kinds that are often taken for GPX files.
package enum OtherFormat {
    /// Returns the error for a file that is certainly no GPX file, by its first bytes; nil for any other.
    package static func error(beginning bytes: [UInt8]) -> RegionStoreError? {
        func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.isEmpty {
            return RegionStoreError(.invalidFile, "The file is empty.", remedy: "Export it again as GPX.")
        }
        if begins("PK\u{3}\u{4}") {
            return other(
                "a ZIP archive, such as KMZ",
                remedy: "Unpack it with 'unzip', and import the files in it. GPSBabel converts KML files to GPX."
            )
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return other("a file compressed by gzip", remedy: "Unpack it with 'gunzip', and import the GPX file in it.")
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

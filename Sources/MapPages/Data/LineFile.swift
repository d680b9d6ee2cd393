internal import FoundationEssentials
internal import PeerStorage
internal import RegionStore
internal import TrackFiles
internal import WebServer

/// One hike or planned route as a GPX file, with all of its points.
enum LineFile {
    /// The end of the addresses of these files.
    private static let suffix = ".gpx"

    /// Makes the file that an address names.
    ///
    /// - Parameters:
    ///   - name: The last part of the address: the key of the item, and `.gpx`.
    ///   - items: The region with its items.
    ///   - creator: The name of the application that writes the file.
    ///   - isIdentifying: Whether the file has the id of the item.
    ///   - makeFile: Creates an empty file.
    /// - Returns: The answer with the file; nil if there is no such item.
    /// - Throws: The error of the store or of the file.
    static func response(
        _ name: String,
        of items: any RegionItems,
        creator: String,
        isIdentifying: Bool = true,
        in makeFile: () throws -> OpenFile
    ) throws -> WebResponse? {
        guard name.hasSuffix(suffix) else { return nil }
        let key = name.dropLast(suffix.count)
        var found: (name: String, file: OpenFile)?
        func write(_ id: UUID, _ name: String, _ body: (inout GPXWriter) throws -> Void) throws {
            guard found == nil, ItemKey.text(of: id) == key else { return }
            let file = try makeFile()
            var writer = GPXWriter(to: file, name: nil, creator: creator, isIdentifying: isIdentifying)
            try body(&writer)
            try writer.finish()
            found = (name, file)
        }
        try items.forEachPlannedRoute { route in try write(route.id, route.name) { try $0.write(route) } }
        try items.forEachHike { hike in try write(hike.id, hike.name) { try $0.write(hike) } }
        guard let found else { return nil }
        return WebResponse(
            WebFile(
                taking: try found.file.duplicate(),
                name: ExportFileName.stem(for: found.name) + suffix,
                contentType: DownloadKind.gpx.contentType,
                size: try found.file.size(),
                entityTag: UUID().uuidString
            )
        )
    }
}

internal import FoundationEssentials
internal import PeerStorage
internal import RegionStore
internal import TrackFiles
internal import WebServer

extension MapSite {
    /// The end of the addresses of lines.
    private static let suffix = ".gpx"

    /// Returns one hike or planned route as a GPX file, with all of its points; nil if there is none with this key.
    func line(_ name: String, of id: UUID) throws -> WebResponse? {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let (key, region) = (name.dropLast(Self.suffix.count), region(id))
        let (creator, isIdentifying) =
            switch content {
            case .store(let store): (store.application, true)
            case .downloads(let downloads, _): (downloads.application, downloads.includesPersonal)
            }
        var found: (name: String, file: OpenFile)?
        func write(_ id: UUID, _ name: String, _ body: (inout GPXWriter) throws -> Void) throws {
            guard found == nil, ItemKey.text(of: id) == key else { return }
            let file = try region.temporaryFile()
            var writer = GPXWriter(to: file, name: nil, creator: creator, isIdentifying: isIdentifying)
            try body(&writer)
            try writer.finish()
            found = (name, file)
        }
        try region.withItems { items in
            _ = try items.forEachPlannedRoute { route in try write(route.id, route.name) { try $0.write(route) } }
            _ = try items.forEachHike { hike in try write(hike.id, hike.name) { try $0.write(hike) } }
        }
        guard let found else { return nil }
        let content = WebFile(
            taking: try found.file.duplicate(),
            name: ExportFileName.stem(for: found.name) + Self.suffix,
            size: try found.file.size(),
            entityTag: UUID().uuidString
        )
        return WebResponse(content, as: DownloadKind.gpx.contentType)
    }
}

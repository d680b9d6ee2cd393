package import FoundationEssentials
import Glibc
package import MapFiles
import NIOCore
package import PeerStorage
package import RegionModel
import TrackFiles

/// How the files are made.
extension RegionDownloads {
    func make(_ kind: DownloadKind) throws -> OpenFile {
        switch kind {
        case .mbtiles: try openHeld(map)
        case .foreign: try openHeld(foreign)
        case .sqlitedb: try makeOsmAndMap()
        case .gpx: try makeGPX()
        case .zip: try makeZIP()
        case .html, .pdf: try makeOther(kind)
        }
    }

    private func makeOther(_ kind: DownloadKind) throws -> OpenFile {
        guard let maker = makers[kind] else { throw SystemError(number: ENOENT) }
        let (file, check) = (try temporaryFile(), try checks())
        var length: UInt64 = 0
        try maker(self) { piece in
            try check(piece.count)
            try file.write(piece, at: length)
            length += UInt64(piece.count)
        }
        return file
    }

    private func makeGPX() throws -> OpenFile {
        let file = try temporaryFile()
        let output = CheckedOutput(file: file, check: try checks())
        // Without what concerns a person, an item is another one than that of the region: it must never replace it.
        var writer = GPXWriter(
            to: output,
            name: region.name,
            creator: application,
            isIdentifying: includesPersonal
        )
        if let store, includesPersonal {
            let leftOut = try store.write(region.id, to: &writer, check: checkGoesOn)
            note(Self.note(onLeftOut: leftOut), of: .gpx)
            note(Self.note(onLeftOut: leftOut), of: .zip)
        } else {
            try forEachWaypoint { try writer.write($0) }
            // Routes (`rte`) come before tracks (`trk`).
            try forEachPlannedRoute { if !$0.isTrack { try writer.write($0) } }
            try forEachPlannedRoute { if $0.isTrack { try writer.write($0) } }
            try forEachHike { try writer.write($0) }
        }
        try writer.finish()
        return file
    }

    /// The number of items that a note names.
    private static let maximumNamedCount = 5

    private static func note(onLeftOut items: [String]) -> String? {
        guard !items.isEmpty else { return nil }
        let more = items.count - maximumNamedCount
        return "It lacks what cannot be read: " + items.prefix(maximumNamedCount).joined(separator: ", ")
            + (more > 0 ? " and \(more) more." : ".")
    }

    private func makeOsmAndMap() throws -> OpenFile {
        guard let map else { throw SystemError(number: ENOENT) }
        let tiles = try RegionStore.openMap(map.path, .receiving(size: map.size))
        // Tiles that a map has once for many places are as many tiles here.
        let size = try tiles.amounts().whole.values.reduce(UInt64(region.tileCount) * 100) {
            $0.addingReportingOverflow($1.size).partialValue
        }
        let check = try checks(total: size)
        let folder = source.workspace.folder
        let name = "osmand-" + UUID().uuidString
        let file = try folder.createFile(name)
        let copy: OsmAndMap
        do {
            defer { try? folder.removeFile(name) }
            copy = try OsmAndMap(in: folder.path(of: name))
        }
        try copy.write(title: region.name) { add in
            try tiles.forEachTile { tile in
                try check(tile.data.count)
                try add(tile)
            }
        }
        return file
    }

    private func makeZIP() throws -> OpenFile {
        let photoSize = photos?.entries.values.reduce(UInt64(0)) { $0 + UInt64($1.range.count) } ?? 0
        let gpx = made(.gpx)
        let total = try (gpx?.size() ?? 0) + ((map ?? foreign)?.size ?? 0) + (routing?.size ?? 0) + photoSize
        let file = try temporaryFile()
        var zip = ZIPWriter(to: file, at: Int(Date().timeIntervalSince1970), check: try checks(total: total))
        if let gpx { try zip.add(name(of: .gpx), contentOf: gpx) }
        if map != nil { try zip.add(name(of: .mbtiles), contentOf: try openHeld(map)) }
        if foreign != nil { try zip.add(name(of: .foreign), contentOf: try openHeld(foreign)) }
        if routing != nil { try zip.add(fileName(region.name) + ".routing.db", contentOf: try openHeld(routing)) }
        try addPhotos(to: &zip)
        try zip.finish()
        return file
    }

    /// Adds the photos, named by their waypoints, with numbers if waypoints have the same name.
    private func addPhotos(to zip: inout ZIPWriter) throws {
        var taken: Set<String> = []
        try forEachWaypoint { waypoint in
            guard let photo = try photo(of: waypoint.id) else { return }
            let name = fileName(region.name) + "-photos/" + fileName(waypoint.label.isEmpty ? "photo" : waypoint.label)
            var (free, number) = (name, 1)
            while !taken.insert(free.lowercased()).inserted {
                number += 1
                free = "\(name)-\(number)"
            }
            try zip.add(free + photo.format.suffix, photo)
        }
    }
}

extension ZIPWriter {
    fileprivate mutating func add(_ name: String, _ photo: PhotoReader) throws {
        var position = 0
        try add(name) {
            let end = min(photo.size, position + Self.pieceLength)
            defer { position = end }
            return position < end ? try photo.read(position..<end) : []
        }
    }
}

/// A file whose writing may be stopped.
private final class CheckedOutput: ByteOutput {
    private let file: OpenFile
    private let check: WriteCheck

    init(file: OpenFile, check: @escaping WriteCheck) {
        self.file = file
        self.check = check
    }

    func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
        try check(bytes.count)
        try file.write(bytes, at: offset)
    }

    func write(_ buffers: [ByteBuffer], at offset: UInt64) throws(SystemError) {
        try check(buffers.reduce(0) { $0 + $1.readableBytes })
        try file.write(buffers, at: offset)
    }
}

/// The items, tiles and photos that are shown.
extension RegionDownloads: RegionItems {
    package var photoIDs: Set<UUID> { Set((photos?.entries ?? [:]).keys) }

    @discardableResult
    package func forEachHike(_ body: (SavedRoute) throws -> Void) throws -> Int {
        if includesPersonal { try forEach(SavedRoutesPart(), body) }
        return 0
    }

    @discardableResult
    package func forEachPlannedRoute(_ body: (PlannedRoute) throws -> Void) throws -> Int {
        try forEach(PlannedRoutesPart()) { try body(includesPersonal ? $0 : $0.withoutPersonalParts()) }
        return 0
    }

    @discardableResult
    package func forEachWaypoint(_ body: (Waypoint) throws -> Void) throws -> Int {
        try forEach(WaypointsPart()) { try body(includesPersonal ? $0 : $0.withoutPersonalParts()) }
        return 0
    }

    private func forEach<Item: RegionItem>(_ part: some ItemListPart, _ body: (Item) throws -> Void) throws {
        try source.forEach(part) { (item: Item) in
            try checkGoesOn()
            try body(item)
        }
    }

    package func photo(of waypointID: UUID) throws -> PhotoReader? {
        guard let photos, let entry = photos.entries[waypointID] else { return nil }
        return try PhotoReader(entry, of: photos.file)
    }

    /// Returns the file with the photos, and where the photo of a waypoint is in it; nil if there is none.
    package func photoFile(of waypointID: UUID) -> (file: OpenFile, start: UInt64)? {
        guard let photos, let entry = photos.entries[waypointID] else { return nil }
        return (photos.file, entry.range.lowerBound)
    }

    /// Returns a tile of the map; nil if the map does not have it, or is not offered.
    package func tile(_ address: TileAddress) throws -> MapTile? {
        guard let map else { return nil }
        return try RegionStore.openMap(map.path, .oneTile).tile(address)
    }
}

import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage
import Synchronization

/// The files that other programs read, made of what a sender offers of a region.
///
/// The files are in a private folder of the store, which is removed with the object. The map itself is not copied.
package final class RegionDownloads: Sendable {
    /// The state of a file.
    package enum State: Hashable, Sendable {
        /// It is being made, or will be.
        case waiting
        /// It is there, with this size in bytes.
        case ready(size: UInt64)
        /// It cannot be made, for a reason that is a sentence.
        case failed(String)
    }

    /// The space that stays free on the disk, in bytes.
    private static let reserve: UInt64 = 200_000_000

    /// The region with what is offered of it.
    package let content: RegionContent
    /// The files that there are or will be, in the order of a list for people.
    package let kinds: [DownloadKind]
    /// What tells the files of this object from those of others.
    package let version = UUID().uuidString

    private let store: RegionStore
    private let source: RegionSource
    private let workspace: StoreWorkspace
    private let states: Mutex<[DownloadKind: State]>
    private let isStopped = Atomic(false)

    init(_ content: RegionContent, of store: RegionStore, offeredBy source: RegionSource) throws {
        guard let workspace = try store.folders.workspace("downloads-" + UUID().uuidString, in: store.folders.work)
        else { throw RegionStoreError(.storage, "The store \(store.path) is in use.") }
        self.content = content
        self.store = store
        self.source = source
        self.workspace = workspace
        let map = source.manifest.entry(of: .mbtiles)
        let hasItems = !(content.hikes.isEmpty && content.plannedRoutes.isEmpty && content.waypoints.isEmpty)
        kinds = DownloadKind.allCases.filter { kind in
            switch kind {
            case .mbtiles: map != nil
            case .sqlitedb: map != nil && content.region.format.map { $0 != .pbf } ?? false
            case .gpx: hasItems
            case .zip: hasItems && map.map { $0.size < ZIPWriter.maximumSize * 9 / 10 } ?? true
            }
        }
        states = Mutex(Dictionary(kinds.map { ($0, .waiting) }) { $1 })
        if let map { states.withLock { $0[.mbtiles] = .ready(size: map.size) } }
    }

    deinit {
        workspace.remove()
    }

    /// The state of a file; nil if it is not among ``kinds``.
    package func state(of kind: DownloadKind) -> State? {
        states.withLock { $0[kind] }
    }

    /// Makes the files, one after the other.
    ///
    /// It takes about a second for each 100 MB of a map.
    package func prepare() {
        for kind in [DownloadKind.gpx, .sqlitedb, .zip] where state(of: kind) == .waiting {
            guard !isStopped.load(ordering: .relaxed) else { return }
            let state: State
            do {
                if try hasSpace(for: kind) {
                    try make(kind)
                    state = .ready(size: try workspace.folder.openFile(kind.rawValue, O_RDONLY).size())
                } else {
                    state = .failed("The laptop has no space on its disk for this file.")
                }
            } catch {
                // The page gets no details of this machine.
                state = .failed("The laptop could not make this file.")
            }
            states.withLock { $0[kind] = state }
        }
    }

    /// Lets ``prepare()`` end after the file that it is making.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Opens a file that is ready.
    ///
    /// - Returns: An open file, which the caller must close, and its size.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` if it is not ready.
    package func open(_ kind: DownloadKind) throws -> (descriptor: CInt, size: UInt64) {
        guard case .ready(let size) = state(of: kind) else {
            throw RegionStoreError(.notFound, "This file is not ready.")
        }
        let path = try kind == .mbtiles ? mapPath : workspace.folder.path(of: kind.rawValue)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw RegionStoreError.storage("read", path, SystemError(number: errno)) }
        return (descriptor, size)
    }

    private var mapPath: String {
        get throws {
            guard let entry = source.manifest.entry(of: .mbtiles), case .file(let path) = try source.content(of: entry)
            else { throw RegionStoreError(.notFound, "The map is not offered.") }
            return path
        }
    }

    private func hasSpace(for kind: DownloadKind) throws -> Bool {
        let size = source.manifest.entry(of: .mbtiles)?.size ?? 0
        let available = try workspace.folder.space().available
        // A copy of the map in another form can be somewhat larger.
        return kind == .gpx || available / 2 > size && available - size > Self.reserve
    }

    private func make(_ kind: DownloadKind) throws {
        switch kind {
        case .mbtiles: break
        case .sqlitedb:
            _ = try store.writeOsmAndMap(of: content.region.id, to: workspace.folder.path(of: kind.rawValue))
        case .gpx:
            try writeGPX(to: try workspace.folder.createFile(kind.rawValue))
        case .zip:
            try writeZIP(to: try workspace.folder.createFile(kind.rawValue))
        }
    }

    private func writeGPX(to file: OpenFile) throws {
        var writer = GPXWriter(to: file, name: content.region.name, creator: store.application)
        for waypoint in content.waypoints { try writer.write(waypoint) }
        for route in content.plannedRoutes where !route.isTrack { try writer.write(route) }
        for route in content.plannedRoutes where route.isTrack { try writer.write(route) }
        for hike in content.hikes { try writer.write(hike) }
        try writer.finish()
    }

    private func writeZIP(to file: OpenFile) throws {
        var zip = ZIPWriter(to: file, at: Int(Date().timeIntervalSince1970))
        if kinds.contains(.gpx) {
            try zip.add("tracks.gpx", contentOf: try workspace.folder.openFile(DownloadKind.gpx.rawValue, O_RDONLY))
        }
        if kinds.contains(.mbtiles) {
            try zip.add("map.mbtiles", contentOf: try OpenFile(try mapPath, O_RDONLY))
        }
        for photo in content.photos {
            guard let found = try store.photo(of: photo.waypointID, in: content.region.id) else { continue }
            try zip.add("photos/\(photo.waypointID.uuidString)\(found.format.suffix)", found.data)
        }
        try zip.finish()
    }
}

import FoundationEssentials
import Glibc
import MapFiles
import PeerProtocol
package import PeerStorage
import RegionModel
import Synchronization

/// What a sender shows of a region to other programs: its items, its tiles, and files made of them.
///
/// Everything comes from what the sender offers, so it stays as a person has agreed to it, whatever becomes of the region. The files
/// have no names, so nothing is left of them.
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

    /// Writes a file of a kind that this library does not make, by calling its second argument with one piece after the other.
    package typealias Maker =
        @Sendable (_ downloads: RegionDownloads, _ append: @escaping ([UInt8]) throws -> Void) throws -> Void

    /// The kinds of files that are made, in the order in which they are made; the others are there.
    package static let madeKinds: [DownloadKind] = [.html, .pdf, .gpx, .sqlitedb, .zip]
    /// The space that stays free on the disk, in bytes.
    private static let reserve: UInt64 = 200_000_000
    /// After so many written bytes, the free space is looked at.
    private static let spaceInterval: UInt64 = 16 << 20

    /// The region, with the numbers of its items that are shown.
    package let region: RegionSummary
    /// The files that there are or will be, in the order of a list for people.
    package let kinds: [DownloadKind]
    /// Whether recorded hikes, photos and what a person has written are shown.
    package let includesPersonal: Bool
    /// Distinguishes this object's files from others.
    package let version = UUID().uuidString

    let source: RegionSource

    /// What concerns a person in the items that are offered.
    package var personal: PersonalContent { source.personal }

    let makers: [DownloadKind: Maker]
    package let application: String
    /// Returns a name for files, without an extension.
    package let fileName: @Sendable (String) -> String
    /// The map with tiles; nil if it is not offered.
    let map: (path: String, size: UInt64)?
    /// The map of another program; nil if none is offered.
    let foreign: (path: String, size: UInt64)?
    /// The file with the photos, and where they are in it.
    let photos: (file: OpenFile, entries: [UUID: PhotoArchive.Entry])?

    /// The store whose items are written as they are now, without loss; nil if they are those of the source.
    let store: RegionStore?
    /// The routing database; nil if it is not among the files.
    let routing: (path: String, size: UInt64)?

    private let files: Mutex<[DownloadKind: (state: State, file: OpenFile?)]>
    private let notes = Mutex<[DownloadKind: String]>([:])
    private let kindsWithoutPhotos = Mutex<Set<DownloadKind>>([])
    private let isStopped = Atomic(false)
    /// The bytes that were written of the file that is being made, and about those that it will have; 0 if that is not known.
    private let progress = Mutex<(written: UInt64, total: UInt64)>((0, 0))

    /// Describes the files, which are not made yet.
    ///
    /// - Parameter fileName: Returns a name for files, without an extension, that is made of the name of a region or waypoint.
    fileprivate init(
        of source: RegionSource,
        fileName: @escaping @Sendable (String) -> String,
        includesPersonal: Bool,
        application: String,
        makers: [DownloadKind: Maker],
        store: RegionStore?
    ) throws {
        self.source = source
        self.store = store
        self.fileName = fileName
        self.includesPersonal = includesPersonal
        self.application = application
        self.makers = makers
        map = try source.file(.mbtiles)
        foreign = try source.file(.foreign)
        routing = store == nil ? nil : try source.file(.routing)
        photos = includesPersonal ? try source.photos() : nil
        var region = try source.counted(includesPersonal: includesPersonal)
        let photoEntries = photos?.entries ?? [:]
        region.photoCount = photoEntries.count
        region.photoSize = photoEntries.values.reduce(0) { $0 + UInt64($1.range.count) }
        self.region = region
        kinds = DownloadKind.kinds(
            of: region,
            map: map?.size,
            foreign: foreign?.size,
            routing: routing?.size,
            makes: { makers[$0] != nil }
        )
        files = Mutex(Dictionary(kinds.map { ($0, (.waiting, nil)) }) { $1 })
        if let map { files.withLock { $0[.mbtiles] = (.ready(size: map.size), nil) } }
        if let foreign { files.withLock { $0[.foreign] = (.ready(size: foreign.size), nil) } }
    }

    /// The state of a file; nil if it is not among ``kinds``.
    package func state(of kind: DownloadKind) -> State? { files.withLock { $0[kind]?.state } }

    /// What a person should know of a file, as a sentence; nil if there is nothing.
    package func note(of kind: DownloadKind) -> String? { notes.withLock { $0[kind] } }

    /// Sets what a person should know of a file; its maker does so.
    package func note(_ sentence: String?, of kind: DownloadKind) { notes.withLock { $0[kind] = sentence } }

    /// Whether a file has no photos although there are some.
    package func lacksPhotos(_ kind: DownloadKind) -> Bool { kindsWithoutPhotos.withLock { $0.contains(kind) } }

    /// Notes that a file has no photos; its maker does so.
    package func leaveOutPhotos(of kind: DownloadKind) { _ = kindsWithoutPhotos.withLock { $0.insert(kind) } }

    /// Makes the files, one after the other.
    ///
    /// It takes about a second for each 100 MB of a map.
    ///
    /// - Parameter only: The file that is needed, with what it is made of; nil for all.
    package func prepare(only: DownloadKind? = nil) {
        let wanted = Self.madeKinds.filter { kind in
            only == nil || kind == only || kind == .gpx && only == .zip
        }
        for kind in wanted where state(of: kind) == .waiting {
            guard !isStopped.load(ordering: .relaxed) else { return }
            progress.withLock { $0 = (0, 0) }
            let result: (State, OpenFile?)
            do {
                let file = try make(kind)
                result = (.ready(size: try file.size()), file)
            } catch let error as SystemError where error.number == ECANCELED {
                return
            } catch let error as SystemError where error.number == ENOSPC {
                result = (.failed("The laptop has no space on its disk for this file."), nil)
            } catch let error as RegionStoreError where error.code == .invalidArgument {
                result = (.failed(error.message), nil)
            } catch {
                // The page gets no details of this machine.
                result = (.failed("The laptop could not make this file."), nil)
            }
            files.withLock { $0[kind] = result }
        }
    }

    /// How much of the file that is being made was written, in bytes; the total is approximate, and 0 if it is not known.
    package var made: (written: UInt64, total: UInt64) { progress.withLock { $0 } }

    /// Lets ``prepare(only:)`` end soon.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Throws `ECANCELED` if ``stop()`` was called: some files are prepared for long before the first byte is written.
    package func checkGoesOn() throws(SystemError) {
        guard !isStopped.load(ordering: .relaxed) else { throw SystemError(number: ECANCELED) }
    }

    /// Opens a file that is ready.
    ///
    /// - Returns: An open file, which the caller must close, and its size.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if it is not ready.
    package func open(_ kind: DownloadKind) throws -> (descriptor: CInt, size: UInt64) {
        let known = files.withLock { $0[kind] }
        guard case .ready(let size) = known?.state else {
            throw RegionStoreError(.notFound, "This file is not ready.")
        }
        return try RegionStoreError.mapping("read", kind.rawValue) {
            if let file = known?.file { return (try file.duplicate(), size) }
            return (try openHeld(kind == .foreign ? foreign : map).duplicate(), size)
        }
    }

    /// Returns the name under which a file is saved.
    package func name(of kind: DownloadKind) -> String {
        let foreign = region.foreign?.fileName
        if kind == .foreign, let foreign { return foreign }
        let (stem, suffix) = (fileName(region.name), "." + kind.rawValue)
        // The file of another program may have any name.
        let isTaken = foreign?.lowercased() == (stem + suffix).lowercased()
        return stem + (isTaken ? "-2" : "") + suffix
    }

    /// Creates an empty file on the disk of the store, which vanishes when it is closed.
    package func temporaryFile() throws(SystemError) -> OpenFile {
        try source.workspace.folder.temporaryFile()
    }

    /// Opens a map that the source holds.
    func openHeld(_ map: (path: String, size: UInt64)?) throws(SystemError) -> OpenFile {
        guard let map else { throw SystemError(number: ENOENT) }
        return try OpenFile(map.path, O_RDONLY | O_NOFOLLOW)
    }

    /// Checks whether the disk has space for the rest of a file.
    private func check(written: UInt64, of total: UInt64) throws(SystemError) {
        let available = try source.workspace.folder.space().available
        let rest = total - min(total, written)
        guard available > Self.reserve, available - Self.reserve >= rest else { throw SystemError(number: ENOSPC) }
    }

    /// Returns a function that is called with the length of each piece before it is written.
    ///
    /// - Parameter total: The length of the file, as far as it is known, in bytes.
    func checks(total: UInt64 = 0) throws(SystemError) -> WriteCheck {
        try check(written: 0, of: total)
        progress.withLock { $0 = (0, total) }
        var written: UInt64 = 0
        var next = Self.spaceInterval
        return { count throws(SystemError) in
            try self.checkGoesOn()
            written += UInt64(clamping: count)
            self.progress.withLock { [written] in $0.written = written }
            guard written >= next else { return }
            next = written + Self.spaceInterval
            try self.check(written: written, of: total)
        }
    }

    func made(_ kind: DownloadKind) -> OpenFile? { files.withLock { $0[kind]?.file } }
}

extension RegionStore {
    /// Describes what a sender shows of a region to other programs.
    ///
    /// - Parameters:
    ///   - fileName: Returns a name for files, without an extension, that is made of the name of a region or waypoint.
    ///   - includesPersonal: Whether hikes, comments, notes, links, photos and times are shown.
    ///   - makers: Write the files of kinds that this library does not make.
    ///   - isWhole: Whether the files are for the owner of the store: they have the routing database, and, with what concerns a
    ///     person, also items that receivers would reject.
    package func downloads(
        of source: RegionSource,
        fileName: @escaping @Sendable (String) -> String,
        includesPersonal: Bool,
        makers: [DownloadKind: RegionDownloads.Maker] = [:],
        isWhole: Bool = false
    ) throws -> RegionDownloads {
        try RegionDownloads(
            of: source,
            fileName: fileName,
            includesPersonal: includesPersonal,
            application: application,
            makers: makers,
            store: isWhole ? self : nil
        )
    }
}

extension RegionSource {
    /// Returns where the file of a resource is; nil if it is not offered.
    fileprivate func file(_ kind: ResourceKind) throws -> (path: String, size: UInt64)? {
        try manifest.entry(of: kind).flatMap { entry in
            guard case .file(let path) = try content(of: entry) else { return nil }
            return (path, entry.size)
        }
    }

    /// Returns the region with the numbers of the items that are shown.
    fileprivate func counted(includesPersonal: Bool) throws -> RegionSummary {
        var region = region
        region.hikeCount = 0
        region.plannedRouteCount = 0
        region.waypointCount = 0
        if includesPersonal { try forEach(SavedRoutesPart()) { (_: SavedRoute) in region.hikeCount += 1 } }
        try forEach(PlannedRoutesPart()) { (_: PlannedRoute) in region.plannedRouteCount += 1 }
        try forEach(WaypointsPart()) { (_: Waypoint) in region.waypointCount += 1 }
        return region
    }

    /// Opens the file with the photos; nil if none are offered.
    func photos() throws -> (file: OpenFile, entries: [UUID: PhotoArchive.Entry])? {
        guard let entry = manifest.entry(of: .photos), case .file(let path) = try content(of: entry) else { return nil }
        let file = try RegionStoreError.mapping("read", path) { try OpenFile(path, O_RDONLY | O_NOFOLLOW) }
        let entries = try PhotoArchive.entries(of: file, size: entry.size, called: "The photos")
        return (file, Dictionary(entries.map { ($0.waypointID, $0) }) { first, _ in first })
    }
}

import FoundationEssentials
import PeerTestSupport
import RegionTestSupport
import Sentences
import SharingTestSupport

@testable import MapPages
@testable import PeerCore
@testable import PhoneSharing
@testable import RegionSharing
@testable import RegionStore

/// A page for phones of a store with small maps.
struct ExamplePage {
    let store: RegionStore
    let person: TestPerson
    let regions: [RegionSummary]
    let directory: TemporaryDirectory
    let files: PhoneFiles
    var page: PhonePage

    /// Makes a store in a directory with some regions, of which the first one has the waypoint “Hut”.
    init(
        in directory: TemporaryDirectory,
        _ person: TestPerson,
        count: Int = 1,
        consent: Consent = .person
    ) throws {
        (self.directory, self.person) = (directory, person)
        let store = try RegionStore(path: directory.path("store"))
        let regions = try (0..<count).map { index in
            let path = directory.path("\(index).mbtiles")
            try Self.map([1, UInt8(index)], column: 2_060 + 10 * index).write(to: path)
            return try store.importMap(at: path, name: "Region \(index)").region
        }
        if let first = regions.first {
            try Data(Self.gpx("Hut", note: "A key is under the stone").utf8).write(
                to: URL(filePath: directory.path("a.gpx"))
            )
            try store.importGPX(at: directory.path("a.gpx"), into: first.id)
        }
        (self.store, self.regions) = (store, regions)
        files = PhoneFiles(
            of: try SendingWish().offer(try store.regions().sorted { $0.name < $1.name }, of: store, for: person),
            in: store,
            ownID: Sample.peerID(),
            consent: consent,
            person: person,
            drawing: { _, _, _ in throw CancellationError() }
        )
        page = PhonePage(of: files, turnWords: { Sentence(known: "\($0)") })
    }

    /// A map with one tile.
    static func map(_ bytes: [UInt8], column: Int = 2_060) -> TiledMap {
        TiledMap([.init(zoom: 12, column: column, row: 2_560, bytes: bytes)])
    }

    /// A file of tracks with one waypoint.
    static func gpx(_ name: String, note: String = "") -> String {
        """
        <gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'><wpt lat='42.58' lon='1.46'>
        <name>\(name)</name><desc>\(note)</desc></wpt></gpx>
        """
    }

    /// A file of a phone.
    struct Upload {
        var content: [UInt8]
        var name: String
        /// The size that is announced; nil for that of the content.
        var size: UInt64?
    }

    /// Sends files one after the other, and returns what becomes of each: final states, or that it may come.
    func states(of uploads: [Upload], decidedBy other: (any Person)? = nil) async throws -> [UploadQueue.State] {
        var page = page
        (page.takesFiles, page.includesPersonal) = (true, true)
        try await page.prepare(in: nil)
        guard let first = page.pages().first, let queue = first.uploads, let region = regions.first else { return [] }
        let decider = UploadDecider(region: region, store: store, ownID: Sample.peerID(), person: other ?? person)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await decider.follow(queue) }
            defer { group.cancelAll() }
            var states: [UploadQueue.State] = []
            for (index, upload) in uploads.enumerated() {
                guard let id = UploadQueue.ID("0123456789abcde\(index)") else { break }
                _ = try queue.announce(
                    id,
                    from: "10.42.0.7",
                    called: upload.name,
                    size: upload.size ?? UInt64(upload.content.count),
                    space: .max,
                    in: first.downloads.uploadedFile
                )
                if upload.size == nil {
                    let piece = try first.contentFile()
                    try piece.write(upload.content)
                    _ = try queue.add(piece, to: id, at: 0)
                }
                states.append(try await Self.state(of: id, in: queue, isWhole: upload.size == nil))
            }
            return states
        }
    }

    private static func state(
        of id: UploadQueue.ID,
        in queue: UploadQueue,
        isWhole: Bool
    ) async throws -> UploadQueue.State {
        while true {
            let state = queue.upload(id)?.state ?? .failed("It is forgotten.")
            if state.isFinal || !isWhole && state == .receiving { return state }
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

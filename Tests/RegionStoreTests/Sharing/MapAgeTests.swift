import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// How old a map is that arrives, and what its sender has said of that.
@Suite(.timeLimit(.minutes(10))) struct MapAgeTests {
    private static func day(_ text: String) throws -> Date {
        try Date(text + "T00:00:00Z", strategy: .iso8601)
    }

    /// Writes a map with a date and a version, and returns its path.
    private static func write(
        _ name: String,
        seed: UInt64,
        _ metadata: [(String, String)],
        in directory: TemporaryDirectory
    ) throws -> String {
        var map = MapFile.small(seed: seed)
        map.metadata += metadata
        let path = directory.path(name)
        try map.write(to: path).close()
        return path
    }

    /// Two stores with a region: the first has the map of 2019, and the second one of 2025.
    private static func withStores(
        _ body: (_ sender: RegionStore, _ receiver: RegionStore, UUID) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let old = try write("old.mbtiles", seed: 1, [("date", "2019-05-01"), ("version", "9")], in: directory)
            let new = try write("new.mbtiles", seed: 2, [("date", "2025-05-01"), ("version", "1")], in: directory)
            let (sender, receiver) = try (
                RegionStore(path: directory.path("sender")), RegionStore(path: directory.path("receiver"))
            )
            let id = try sender.importMap(at: old).region.id
            try Transfers.run(try sender.source(for: id), to: receiver.sink())
            try receiver.importMap(at: new, updating: id)
            try body(sender, receiver, id)
        }
    }

    /// Offers the map of a store, or a part of it, with another age than it has.
    private static func lie(
        _ edition: MapEdition,
        _ store: RegionStore,
        _ id: UUID,
        isPart: Bool
    ) throws -> LyingSource {
        let cut = isPart ? CutRule(maximumZoom: 11) : nil
        let source = try store.source(for: id, routes: .all, cut: cut)
        let map = try Transfers.bytes(of: try #require(source.manifest.entry(of: .mbtiles)), source)
        return try LyingSource(try source.manifest.region(), [.mbtiles: map]) { $0.edition = edition }
    }

    @Test(arguments: [true, false])
    func aClaimThatTheMapDoesNotBearOutReplacesNothing(isPart: Bool) async throws {
        try await Self.withStores { sender, receiver, id in
            let before = try receiver.region(id)
            let (old, newer) = (try Self.day("2019-05-01"), try Self.day("2026-05-01"))
            for claim in [
                MapEdition(date: try Self.day("2030-01-01")), MapEdition(date: newer),
                MapEdition(date: newer, version: "9"),
                MapEdition(date: old, newestDate: newer), MapEdition(date: old, version: "10"),
                // Without the date, the version would make the map newer.
                MapEdition(version: "9"),
            ] {
                let source = try Self.lie(claim, sender, id, isPart: isPart)
                let error = #expect(throws: RegionStoreError.self, "\(claim)") {
                    try Transfers.run(source, to: receiver.sink())
                }
                #expect(error?.code == .refused && error?.message.contains("its age is not that") == true, "\(claim)")
                #expect(try receiver.region(id) == before)
            }
        }
    }

    /// Programs of earlier versions say less, so the age is not known, and a person decides.
    @Test(arguments: [true, false]) func whatIsNotClaimedIsNoLie(isPart: Bool) async throws {
        for claim in [
            MapEdition(), MapEdition(date: try Self.day("2019-05-01")),
            MapEdition(date: try Self.day("2019-05-01"), version: "9"),
        ] {
            try await Self.withStores { sender, receiver, id in
                try Transfers.run(try Self.lie(claim, sender, id, isPart: isPart), to: receiver.sink())
                #expect(try receiver.region(id).mapDigest != sender.region(id).mapDigest || !isPart)
                #expect(try isPart || receiver.region(id).edition == sender.region(id).edition)
            }
        }
    }

    @Test func theAgeOfAForeignMapIsThatOfItsHeader() async throws {
        try await ForeignTransferTests.withWorld { world in
            let bytes = ForeignBytes.mapsforge()
            func source(_ date: Date?) throws -> LyingSource {
                try LyingSource(world.region.region, [.foreign: bytes]) { region in
                    region.fileSizeBytes = Int64(bytes.count)
                    region.mapDate = date
                }
            }
            for date in [ForeignBytes.day + 86_400, ForeignBytes.day - 86_400, try Self.day("2099-01-01")] {
                let error = #expect(throws: RegionStoreError.self) {
                    try Transfers.run(try source(date), to: world.receiver.sink())
                }
                #expect(error?.code == .refused && error?.message.contains("its age is not that") == true)
                #expect(try world.receiver.regions().isEmpty)
            }
            for date in [ForeignBytes.day, nil] {
                try Transfers.run(try source(date), to: world.receiver.sink())
                #expect(try world.receiver.region(world.region.id).mapDate == ForeignBytes.day)
            }
        }
    }

    // MARK: Before a person agrees

    private static func replacement(
        of store: RegionStore,
        by source: RegionSource,
        change: (inout Region) -> Void = { _ in }
    ) throws -> RegionReplacement {
        var region = try source.manifest.region()
        change(&region)
        return RegionReplacement(
            of: try store.region(region.id),
            by: region,
            entries: source.manifest.entries,
            wanted: Set(source.manifest.entries.map(\.kind))
        )
    }

    @Test func whatMayBeOlderIsAnObjection() async throws {
        try await Self.withStores { sender, receiver, id in
            let whole = try sender.source(for: id)
            let part = try sender.source(for: id, routes: .all, cut: CutRule(maximumZoom: 11))
            for source in [whole, part] {
                for (edition, objection) in [
                    (MapEdition(date: try Self.day("2026-01-01")), nil),
                    (MapEdition(date: try Self.day("2025-05-01")), nil),
                    (MapEdition(date: try Self.day("2025-05-01"), version: "0.9"), .olderMap),
                    (MapEdition(date: try Self.day("2019-05-01")), .olderMap), (MapEdition(), .unknownAge),
                    (MapEdition(date: try Self.day("2024-01-01"), newestDate: try Self.day("2026-01-01")), .unknownAge),
                    (MapEdition(date: .distantFuture), .unknownAge),
                    (MapEdition(date: .distantFuture, version: "1.0.1"), nil),
                ] as [(MapEdition, RegionReplacement.Objection?)] {
                    let replacement = try Self.replacement(of: receiver, by: source) { $0.edition = edition }
                    #expect(replacement.objection(isSenderKnown: true) == objection, "\(edition)")
                    #expect(replacement.objection(isSenderKnown: false) == .untrustedSender)
                }
            }
        }
    }

    /// A strip and the map from which it was cut follow each other, although many maps say nothing of their age.
    @Test func aPartAndItsWholeAreOfTheSameAge() async throws {
        try await TemporaryDirectory.with { directory in
            let path = try Self.write("a.mbtiles", seed: 1, [("version", "1.0.0")], in: directory)
            let sender = try RegionStore(path: directory.path("sender"))
            let receiver = try RegionStore(path: directory.path("receiver"))
            let id = try sender.importMap(at: path).region.id
            let whole = try sender.region(id).mapDigest
            func part(_ zoom: Int) throws -> RegionSource {
                try sender.source(for: id, routes: .all, cut: CutRule(maximumZoom: zoom))
            }
            try Transfers.run(try part(10), to: receiver.sink())
            for source in [try part(11), try sender.source(for: id)] {
                let replacement = try Self.replacement(of: receiver, by: source)
                #expect(replacement.ages?.age == .same && replacement.objection(isSenderKnown: true) == nil)
                // A part of another map is not, even if that has as many tiles and bytes, nor one of which that is not known.
                for digest in [ContentDigest(hashing: [1]), nil]
                where source.manifest.entry(of: .mbtiles)?.digest != whole {
                    let other = try Self.replacement(of: receiver, by: source) { $0.cut?.wholeDigest = digest }
                    #expect(other.objection(isSenderKnown: true) == .unknownAge)
                }
                // What the maps say counts first.
                let older = try Self.replacement(of: receiver, by: source) { $0.edition = MapEdition(version: "0.1") }
                #expect(older.objection(isSenderKnown: true) == .olderMap)
                try Transfers.run(source, to: receiver.sink())
            }
            #expect(try receiver.region(id).mapDigest == sender.region(id).mapDigest)
        }
    }
}

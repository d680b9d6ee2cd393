import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// The signature of the person who has imported a map goes along with the map, and with no other one.
@Suite(.timeLimit(.minutes(10))) struct SignedMapTests {
    private static func identity(_ name: String = "Anna") throws -> PeerIdentity {
        try PeerIdentity.known(by: name, for: PeerServiceType(validating: "hikeshare"))
    }

    /// Imports a map and signs it.
    @discardableResult
    private static func sign(
        _ path: String,
        as name: String = "Anna",
        into store: RegionStore,
        updating id: UUID? = nil
    ) throws -> RegionSummary {
        let identity = try Self.identity(name)
        return try store.prepareMap(at: path).store(
            updating: id,
            signed: { map in
                try MapSignature(of: map, as: name) { try identity.sign($0) }
            }
        ).region
    }

    /// Three stores; the first has a region whose map is signed.
    private static func withStores(
        _ body: (TemporaryDirectory, [RegionStore], RegionSummary) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            try MapFile.small().write(to: directory.path("a.mbtiles")).close()
            let stores = try ["one", "two", "three"].map { try RegionStore(path: directory.path($0)) }
            let region = try Self.sign(directory.path("a.mbtiles"), into: stores[0])
            try body(directory, stores, region)
        }
    }

    private static func move(_ id: UUID, _ from: RegionStore, to other: RegionStore) throws {
        try Transfers.run(try from.source(for: id), to: other.sink())
    }

    @Test func theSignatureIsPassedOnFromHandToHand() async throws {
        try await Self.withStores { _, stores, region in
            let signature = try #require(region.signature)
            let anna = try Self.identity().id
            #expect(signature.name == "Anna" && signature.signer == anna)
            try Self.move(region.id, stores[0], to: stores[1])
            try Self.move(region.id, stores[1], to: stores[2])
            #expect(try stores[2].region(region.id).signature == signature)
            // Who has the same map says nothing else of it.
            try Self.move(region.id, stores[2], to: stores[0])
            #expect(try stores[0].region(region.id).signature == signature)
        }
    }

    /// Several regions come from one machine each, and from the one that has received them.
    @Test func severalRegionsKeepTheirOwnSignatures() async throws {
        try await Self.withStores { directory, stores, region in
            try MapFile.small(seed: 5).write(to: directory.path("b.mbtiles")).close()
            let second = try Self.sign(directory.path("b.mbtiles"), as: "Ben", into: stores[1])
            try Self.move(region.id, stores[0], to: stores[1])
            for id in [region.id, second.id] { try Self.move(id, stores[1], to: stores[2]) }
            #expect(try stores[2].region(region.id).signature?.name == "Anna")
            #expect(try stores[2].region(second.id).signature?.name == "Ben")
        }
    }

    @Test func aNewMapIsSignedAnewOrNotAtAll() async throws {
        try await Self.withStores { directory, stores, region in
            try MapFile.small(seed: 2).write(to: directory.path("new.mbtiles")).close()
            let unsigned = try stores[0].importMap(at: directory.path("new.mbtiles"), updating: region.id).region
            #expect(unsigned.signature == nil)
            let signed = try Self.sign(directory.path("a.mbtiles"), as: "Ben", into: stores[0], updating: region.id)
            #expect(signed.signature?.name == "Ben")
            // Importing the same file does not make it one's own.
            #expect(try Self.sign(directory.path("a.mbtiles"), as: "Cara", into: stores[0]).signature?.name == "Ben")
            // A map that replaces another one brings its own signature, or none.
            try Self.move(region.id, stores[0], to: stores[1])
            try stores[0].importMap(at: directory.path("new.mbtiles"), updating: region.id)
            try Self.move(region.id, stores[0], to: stores[1])
            #expect(try stores[1].region(region.id).signature == nil)
        }
    }

    @Test func whoHasSignedCanTakeItBackAndNobodyElse() async throws {
        try await Self.withStores { _, stores, region in
            let (ben, own) = (try Self.identity("Ben").id, try Self.identity().id)
            #expect(try !stores[0].removeSignature(by: ben, from: region.id))
            #expect(try stores[0].region(region.id).signature == region.signature)
            #expect(try stores[0].removeSignature(by: own, from: region.id))
            #expect(try stores[0].region(region.id).signature == nil)
        }
    }

    @Test func whoHasTheSameMapUnsignedLearnsWhoImportedIt() async throws {
        try await Self.withStores { directory, stores, region in
            let own = try stores[1].importMap(at: directory.path("a.mbtiles")).region
            #expect(try stores[1].adopt(region.id, for: own.id))
            try Self.move(region.id, stores[0], to: stores[1])
            #expect(try stores[1].region(region.id).signature == region.signature)
        }
    }

    @Test func aCutMapHasNoSignature() async throws {
        try await Self.withStores { _, stores, region in
            let cut = CutRule(maximumZoom: 11)
            let source = try stores[0].source(for: region.id, routes: .all, cut: cut)
            #expect(try source.manifest.region().signature == nil)
            let asked = try stores[0].source(for: region.id).cut(cut, in: stores[0])
            #expect(try asked.manifest.region().signature == nil)
            try Transfers.run(source, to: stores[1].sink())
            #expect(try stores[1].region(region.id).signature == nil)
        }
    }

    /// A part with tiles of a newer version changes the map to which it is added.
    @Test func aJoinedMapHasNoSignature() async throws {
        try await Self.withStores { directory, stores, region in
            try MapFile.small(seed: 4).of("2025-01-01").write(to: directory.path("old.mbtiles")).close()
            try Self.sign(directory.path("old.mbtiles"), into: stores[0], updating: region.id)
            try Self.move(region.id, stores[0], to: stores[1])
            #expect(try stores[1].region(region.id).signature != nil)
            try MapFile.small(seed: 2).of("2026-01-01").write(to: directory.path("new.mbtiles")).close()
            try Self.sign(directory.path("new.mbtiles"), into: stores[0], updating: region.id)
            let cut = CutRule(maximumZoom: 11)
            let source = try stores[0].source(for: region.id, routes: .all, cut: cut)
            try Transfers.run(source, to: stores[1].sink())
            #expect(try stores[1].region(region.id).signature == nil)
            // Neither is one that a file of a part was added to.
            let part = directory.path("part.mbtiles")
            try stores[0].export(try stores[0].cut(cut, of: try stores[0].region(region.id)), to: part)
            try Self.move(region.id, stores[0], to: stores[2])
            try MapFile.small(seed: 3).of("2025-06-01").write(to: directory.path("third.mbtiles")).close()
            try Self.sign(directory.path("third.mbtiles"), into: stores[2], updating: region.id)
            let joined = try Self.sign(part, as: "Ben", into: stores[2], updating: region.id)
            #expect(joined.signature == nil)
        }
    }

    /// Whose signature a map would lose is known before a person agrees.
    @Test func aLostSignatureIsAnObjection() async throws {
        try await Self.withStores { directory, stores, region in
            try Self.move(region.id, stores[0], to: stores[1])
            func objection(_ other: RegionStore, cut: CutRule? = nil) throws -> RegionReplacement.Objection? {
                let source = try other.source(for: region.id, routes: .all, cut: cut)
                var offered = try source.manifest.region()
                offered.edition = MapEdition(version: "2")
                var local = try stores[1].region(region.id)
                local.edition = MapEdition(version: "1")
                let entries = source.manifest.entries
                let replacement = RegionReplacement(of: local, by: offered, entries: entries, wanted: [.mbtiles])
                // A part changes a signed map, which is told and leaves it in its place.
                #expect(replacement.losesSigner || replacement.objection(isSenderKnown: true) == nil)
                #expect(replacement.losesSigner == (cut != nil) || cut == nil)
                return replacement.objection(isSenderKnown: true)
            }
            // The same map, whoever has signed it there, and a part of it.
            let cut = CutRule(maximumZoom: 11)
            #expect(try stores[0].removeSignature(by: Self.identity().id, from: region.id))
            #expect(try objection(stores[0]) == nil && objection(stores[0], cut: cut) == nil)
            try Self.sign(directory.path("a.mbtiles"), as: "Ben", into: stores[0])
            #expect(try objection(stores[0]) == nil)
            try Self.move(region.id, stores[0], to: stores[1])
            #expect(try stores[1].region(region.id).signature == region.signature)
            // Another one, of the same person, of somebody else, and of nobody.
            for (seed, name, expected) in [(2, "Anna", nil), (3, "Ben", .anotherSigner)]
                as [(UInt64, String, RegionReplacement.Objection?)]
            {
                let path = directory.path("\(name).mbtiles")
                try MapFile.small(seed: seed).write(to: path).close()
                try Self.sign(path, as: name, into: stores[0], updating: region.id)
                #expect(try objection(stores[0]) == expected, "\(name)")
            }
            #expect(try objection(stores[0], cut: cut) == nil)
            try MapFile.small(seed: 4).write(to: directory.path("d.mbtiles")).close()
            try stores[0].importMap(at: directory.path("d.mbtiles"), updating: region.id)
            #expect(try objection(stores[0]) == .anotherSigner)
        }
    }

    /// An offer without the map says nothing of who has imported it.
    @Test func withoutTheMapNothingIsSaid() async throws {
        try await Self.withStores { _, stores, region in
            try stores[0].add([try Items.waypoint()], to: region.id)
            let source = try stores[0].source(for: region.id, kinds: [.waypoints])
            #expect(try source.manifest.description(as: Region.self).signature == nil)
        }
    }

    /// A forged signature is dropped, and the map arrives.
    @Test(arguments: [true, false]) func aForgedSignatureIsDroppedAndTheMapArrives(ofAnotherMap: Bool) async throws {
        try await Self.withStores { directory, stores, region in
            let source = try stores[0].source(for: region.id)
            let map = try Transfers.bytes(of: try #require(source.manifest.entry(of: .mbtiles)), source)
            let identity = try Self.identity()
            let signed = ofAnotherMap ? ContentDigest(hashing: [1]) : region.mapDigest
            // Of another map, or of other words.
            let forged = try MapSignature(of: signed, as: "Anna") { try identity.sign(ofAnotherMap ? $0 : $0 + [0]) }
            let lying = try LyingSource(try source.manifest.region(), [.mbtiles: map]) { $0.signature = forged }
            #expect(try lying.manifest.description(as: Region.self).signature != nil)
            try Transfers.run(lying, to: stores[1].sink())
            #expect(try stores[1].region(region.id).mapDigest == region.mapDigest)
            #expect(try stores[1].region(region.id).signature == nil)
        }
    }

    /// Whatever is in the database, a signature of another map is not shown and not sent.
    @Test func aSignatureInTheStoreCountsOnlyForItsMap() async throws {
        try await Self.withStores { _, stores, region in
            for change in ["replace(signature, 'Anna', 'Ben')", "'nonsense'", "''"] {
                try stores[0].database.write { try $0.execute(sql: "UPDATE region SET signature = \(change)") }
                #expect(try stores[0].region(region.id).signature == nil)
                #expect(try stores[0].source(for: region.id).manifest.description(as: Region.self).signature == nil)
            }
        }
    }
}

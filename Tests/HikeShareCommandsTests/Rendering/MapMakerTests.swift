import ArgumentParser
import Foundation
import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Who has imported a map, in words.
@Suite struct MapMakerTests {
    private static func signature(_ name: String) throws -> MapSignature {
        let identity = try PeerIdentity.known(by: "Anna", for: .hikeshare)
        return try #require(
            try MapSignature(of: Sample.digest(1), as: name, at: Sample.date) { try identity.sign($0) }
        )
    }

    private static func words(_ name: String, _ change: (RegionStore, PeerID) throws -> PeerID?) async throws -> String
    {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let signature = try signature(name)
            let own = try change(store, signature.signer)
            return try #require(try store.maker(of: signature, ownID: own)).words.string
        }
    }

    @Test func aStrangersNameIsQuotedAndNotBelieved() async throws {
        let words = try await Self.words("Anna\u{1B}[31m (trusted)") { _, _ in nil }
        #expect(words == "made by “Anna\\u{1b}[31m (trusted)” (not verified), 2025-06-15")
    }

    @Test func aTrustedMachineHasItsNameHere() async throws {
        let words = try await Self.words("Whoever") { store, id in
            try store.trustedPeers.trust(id, name: "Ana")
            return nil
        }
        #expect(words == "made by Ana, 2025-06-15")
    }

    @Test func anotherKeyWithTheNameOfATrustedMachineIsSaidToBeNone() async throws {
        let words = try await Self.words("anna") { store, _ in
            try store.trustedPeers.trust(Sample.peerID(7), name: "Anna")
            return nil
        }
        #expect(words.hasPrefix("made by “anna” (NOT your trusted “Anna”: "), "\(words)")
    }

    @Test func theOwnKeyIsYou() async throws {
        #expect(try await Self.words("Anna") { _, id in id } == "made by you, 2025-06-15")
    }

    @Test func theOfferSaysFromWhomItComes() throws {
        let maker = MapMaker(signature: try Self.signature("Anna"), acquaintance: .trusted(name: "Anna"))
        var sender = OfferMaker.peer()
        #expect(maker.words(from: sender).string == "made by Anna, 2025-06-15; from “Brave Marmot”")
        sender.security = .encrypted(maker.signature.signer)
        #expect(maker.words(from: sender).string == "made by Anna, 2025-06-15")
        let unknown = MapMaker(signature: maker.signature, acquaintance: .unknown)
        #expect(unknown.words(from: sender).string == "made by “Brave Marmot”, 2025-06-15")
        var report = try Screens.offer()
        report.maker = maker
        #expect(report.text.string.contains("made by Anna, 2025-06-15; from “Anna”"))
        report.wanted = [.waypoints]
        #expect(!report.text.string.contains("made by"))
    }

    /// Only what was offered and checked is shown.
    @Test(arguments: [true, false]) func thePromptShowsOnlyWhatIsTrue(isForged: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let shown = Locked("")
            let screen = Screen(canAsk: false, isLive: false, output: { text, _ in shown.withLock { $0 += text } })
            let prompt = OfferDecider(
                store: store,
                acceptsAll: true,
                at: Console(format: .text, screen: screen)
            )
            let plain = try OfferMaker.offer(UUID(), .init(map: isForged ? 2 : 1), from: OfferMaker.peer())
            var region = try plain.manifest.region()
            region.signature = try Self.signature("Anna")
            let manifest = try Manifest(id: region.id, describing: region, entries: plain.manifest.entries)
            let answer = try await prompt.decide(TransferOffer(peer: plain.peer, manifest: manifest))
            #expect(answer.kinds != nil)
            #expect(shown.value.contains("made by “Anna” (not verified)") == !isForged, "\(shown.value)")
        }
    }

    /// The choice of one import counts for the next ones.
    @Test func aNoIsRemembered() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let console = Console(format: .text, isQuiet: true, screen: Screen(canAsk: false, isLive: false))
            #expect(try await MapSigning(nil, in: store, at: console).sign != nil)
            #expect(try await MapSigning(false, in: store, at: console).sign == nil)
            #expect(try await MapSigning(nil, in: store, at: console).sign == nil)
            #expect(try await MapSigning(true, in: store, at: console).sign != nil)
            let signature = try await MapSigning(nil, in: store, at: console).sign?(Sample.digest(1))
            #expect(signature?.signer == store.ownID)
        }
    }

    /// Others see the name, so a person chooses it before the first map is signed, once.
    @Test(arguments: [nil, false, true] as [Bool?]) func aPersonIsAskedForTheName(choice: Bool?) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let (input, terminal) = (try Pipe(), TerminalModel(columns: 200))
            input.write("Eva\n")
            input.closeWriter()
            let console = terminal.console(input: input.reader)
            for _ in 1...2 {
                let signing = try await MapSigning(choice, in: store, at: console)
                #expect(try signing.sign?(Sample.digest(1))?.name == (choice == false ? nil : "Eva"))
            }
            #expect(try store.displayName() == (choice == false ? nil : "Eva"))
        }
    }

    /// A person knows before the yes whose signature goes, and whose comes.
    @Test(arguments: [(false, "nobody has signed this one"), (true, "with new tiles, it loses the signature")])
    func aSignatureThatWouldBeLostIsSaid(isPart: Bool, then: String) throws {
        let signature = try Self.signature("Anna")
        var local = try Sample.region(routingSize: nil)
        local.edition = MapEdition(version: "1")
        local.signatureText = String(decoding: try JSONEncoder().encode(signature), as: UTF8.self)
        let offer = try OfferMaker.offer(
            local.id,
            .init(map: 9, isPart: isPart),
            from: OfferMaker.peer(isTrusted: true)
        )
        var report = OfferFacts(
            peer: offer.peer,
            region: try offer.manifest.region(),
            entries: offer.manifest.entries,
            wanted: [.mbtiles],
            local: local
        )
        report.localMaker = MapMaker(signature: signature, acquaintance: .trusted(name: "Anna"))
        let text = report.text.string.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("Signed your map is made by Anna, 2025-06-15; \(then)"), "\(text)")
        #expect(KeepRule.Facts(report).losesSigner && KeepRule.Facts(report).mapAge == .newer)
        #expect(KeepRule().decision(KeepRule.Facts(report)) == .decline(.anotherSigner))
        // The same map keeps it.
        report.local?.mapDigest = Sample.digest(9)
        #expect(!report.text.string.contains("Signed") && !KeepRule.Facts(report).losesSigner)
    }

    @Test func onlyOneOfTheChoicesCanBeGiven() throws {
        #expect(throws: (any Error).self) { try ImportCommand.parse(["a.mbtiles", "--signed", "--unsigned"]) }
        #expect(try ImportCommand.parse(["a.mbtiles", "--unsigned"]).unsigned)
        #expect(throws: (any Error).self) { try ImportCommand.parse(["a.mbtiles", "--yes"]) }
        #expect(try ImportCommand.parse(["a.mbtiles", "--yes", "--update", "Alp"]).yes)
    }
}

extension MapSigning {
    /// Prepares to sign as the person at a console.
    fileprivate init(_ choice: Bool?, in store: RegionStore, at console: Console) async throws {
        try await self.init(choice, in: store, ownID: store.ownID, person: TerminalPerson(console)) {
            try await store.localPeer(at: console)
        }
    }
}

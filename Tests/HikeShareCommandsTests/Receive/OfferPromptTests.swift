import Foundation
import PeerTestSupport
import Sentences
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What a receiver agrees to, and for how long its yes holds.
///
/// Data is lost if one of these rules is broken.
@Suite struct OfferPromptTests {
    private static func prompt(_ store: RegionStore, acceptsAll: Bool, _ terminal: Pipe? = nil) -> OfferDecider {
        OfferDecider(
            store: store,
            acceptsAll: acceptsAll,
            at: Console(
                format: .text,
                isQuiet: true,
                screen: Screen(canAsk: terminal != nil, isLive: false),
                input: terminal?.reader ?? -1
            )
        )
    }

    private static func withStore(_ body: (RegionStore, UUID) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            try await body(store, try store.importMap(at: OfferMaker.map).region.id)
        }
    }

    /// The error with which an offer is refused; nil if it is accepted.
    private static func refusal(_ prompt: OfferDecider, _ offer: TransferOffer) async throws -> CommandError? {
        do {
            let answer = try await prompt.decide(offer)
            guard answer.kinds == nil else { return nil }
            let refusal = prompt.refusal
            #expect(refusal != nil)
            return refusal?.words
        } catch let error as ReceivingError {
            return error.words
        }
    }

    // MARK: Where nobody is asked

    @Test(arguments: [true, false], [true, false])
    func anotherPlaceNeverReplacesTheMapHereUnasked(acceptsAll: Bool, byLink: Bool) async throws {
        try await Self.withStore { store, id in
            // The sender is known, so that nothing but the place speaks against it.
            let peer = OfferMaker.peer(isTrusted: !byLink, byLink: byLink)
            let prompt = Self.prompt(store, acceptsAll: acceptsAll)
            let elsewhere = try OfferMaker.offer(id, .init(isElsewhere: true), from: peer)
            let refusal = try await Self.refusal(prompt, elsewhere)
            #expect(refusal?.code == .declined)
            #expect(refusal?.message.contains("a different area") == true)
            #expect(!prompt.hasAgreed)
            let same = try OfferMaker.offer(id, from: peer)
            #expect(try await Self.refusal(prompt, same) == nil)
            #expect(prompt.hasAgreed)
        }
    }

    /// `--yes` asks nothing, at a terminal either.
    @Test(arguments: [true, false]) func anUnknownSenderReplacesNothingUnasked(atTerminal: Bool) async throws {
        try await Self.withStore { store, id in
            let prompt = Self.prompt(store, acceptsAll: true, atTerminal ? try Pipe() : nil)
            let refusal = try await Self.refusal(prompt, try OfferMaker.offer(id, from: OfferMaker.peer()))
            #expect(refusal?.code == .notTrusted)
            #expect(!prompt.hasAgreed)
            // What is not here may come.
            #expect(try await Self.refusal(prompt, try OfferMaker.offer(UUID(), from: OfferMaker.peer())) == nil)
        }
    }

    @Test func withoutATerminalOnlyKnownSendersAreAccepted() async throws {
        try await Self.withStore { store, _ in
            for (peer, isWelcome) in [
                (OfferMaker.peer(), false), (OfferMaker.peer(isEncrypted: false), false),
                (OfferMaker.peer(isTrusted: true), true), (OfferMaker.peer(byLink: true), true),
            ] {
                let prompt = Self.prompt(store, acceptsAll: false)
                let refusal = try await Self.refusal(prompt, try OfferMaker.offer(UUID(), from: peer))
                #expect(refusal?.code == (isWelcome ? nil : .notTrusted))
                #expect(prompt.agreedPeer == (isWelcome ? peer.id : nil))
            }
        }
    }

    /// Another visit may bring a map between the decision and the beginning of the reception.
    @Test func aDecisionIsForTheFilesWithWhichTheOfferWasCompared() async throws {
        try await Self.withStore { store, id in
            let prompt = Self.prompt(store, acceptsAll: true)
            #expect(prompt.isAsAgreed([:]))
            let offer = try OfferMaker.offer(id, from: OfferMaker.peer(isTrusted: true))
            #expect(try await Self.refusal(prompt, offer) == nil)
            let map = try store.region(id).mapDigest
            #expect(prompt.isAsAgreed([.mbtiles: map]))
            #expect(!prompt.isAsAgreed([:]) && !prompt.isAsAgreed([.mbtiles: Sample.digest(9)]))
            #expect(!prompt.isAsAgreed([.mbtiles: map, .routing: Sample.digest(2)]))
        }
    }

    /// The sender's person reads that it is not the network.
    @Test func aSenderIsToldThatPartsAreMissing() async throws {
        try await Self.withStore { store, _ in
            let prompt = OfferDecider(
                store: store,
                kinds: [.waypoints],
                acceptsAll: true,
                at: Console(format: .text, isQuiet: true, screen: Screen(canAsk: false, isLive: false))
            )
            let offer = try OfferMaker.offer(UUID(), .init(waypoints: 3), from: OfferMaker.peer())
            guard case .decline(let refusal) = try await prompt.decide(offer) else {
                Issue.record("waypoints are accepted without their map")
                return
            }
            #expect(refusal.code == .declined && refusal.reason.contains("cannot be received alone"))
            #expect(prompt.refusal?.words.code == .notFound && !prompt.hasAgreed)
        }
    }

    /// The sender whose offer was accepted may come back.
    @Test func afterAYesAnotherSenderThatLacksWhatIsWantedIsNoEnd() async throws {
        try await Self.withStore { store, id in
            let prompt = OfferDecider(
                store: store,
                kinds: [.waypoints],
                acceptsAll: true,
                at: Console(format: .text, isQuiet: true, screen: Screen(canAsk: false, isLive: false))
            )
            let peer = OfferMaker.peer(isTrusted: true)
            let answer = try await prompt.decide(try OfferMaker.offer(id, .init(waypoints: 3), from: peer))
            #expect(answer.kinds == [.waypoints] && prompt.hasAgreed)
            let other = try OfferMaker.offer(UUID(), .init(waypoints: 3), from: peer)
            await #expect(throws: ReceivingError.self) { _ = try await prompt.decide(other) }
            #expect(prompt.refusal == nil)
        }
    }

    /// A map keeps, or gets, the signature that the person saw, whoever sends the rest of it.
    @Test func aYesIsNotForAnotherSignature() throws {
        let id = try Sample.uuid()
        let offer = try OfferMaker.offer(id, from: OfferMaker.peer(isTrusted: true, id: 9))
        func terms(_ peer: UInt8, signer: UInt8?) -> AcceptedOffer.Terms {
            var terms = AcceptedOffer.Terms(offer)
            (terms.peer, terms.signer) = (Sample.peerID(peer), signer.map { Sample.peerID($0) })
            return terms
        }
        let accepted = AcceptedOffer(
            terms: terms(1, signer: 5),
            kinds: [.mbtiles],
            entries: offer.manifest.entries
        )
        #expect(accepted.covers(offer, terms(9, signer: 5), .person))
        for signer in [nil, 6] as [UInt8?] {
            #expect(!accepted.covers(offer, terms(9, signer: signer), .person))
            #expect(!accepted.covers(offer, terms(1, signer: signer), .person))
        }
    }

    // MARK: Which map is newer

    private static let newer = MapEdition(version: "1.1.0")
    private static let older = MapEdition(version: "0.9")
    private static let undated = MapEdition()

    /// Neither `--yes` nor trust is an answer to a question that nobody has seen.
    @Test(
        arguments: [
            (newer, false, nil), (newer, true, nil), (older, false, "an older map"), (older, true, "an older map"),
            (undated, false, "a map of unknown age"), (undated, true, "a map of unknown age"),
        ] as [(MapEdition, Bool, String?)],
        [true, false]
    )
    func whatMayBeOlderIsNotTakenUnasked(map: (MapEdition, Bool, String?), acceptsAll: Bool) async throws {
        try await Self.withStore { store, id in
            for peer in [OfferMaker.peer(isTrusted: true), OfferMaker.peer(byLink: true)] {
                let prompt = Self.prompt(store, acceptsAll: acceptsAll)
                let offer = try OfferMaker.offer(id, .init(edition: map.0, isPart: map.1), from: peer)
                let refusal = try await Self.refusal(prompt, offer)
                #expect(refusal?.message.contains(map.2 ?? "-") ?? (map.2 == nil), "\(String(describing: refusal))")
                #expect(refusal == nil || refusal?.remedy?.typed.contains("in a terminal without --yes") == true)
                #expect(prompt.hasAgreed == (map.2 == nil))
            }
        }
    }

    /// What a person has picked from a list needs a second question if it may be older.
    @Test(
        arguments: [
            (newer, false, true), (newer, true, true), (older, false, false), (older, true, false),
            (undated, false, false),
            (undated, true, false),
        ] as [(MapEdition, Bool, Bool)]
    )
    func whatMayBeOlderNeedsASecondQuestion(edition: MapEdition, isPart: Bool, isTaken: Bool) async throws {
        try await Self.withStore { store, id in
            let terminal = try Pipe()
            // A question would find the end of the input, which is a no.
            terminal.closeWriter()
            let peer = OfferMaker.peer()
            let offer = try OfferMaker.offer(id, .init(edition: edition, isPart: isPart), from: peer)
            let listed = OfferedRegion(try offer.manifest.region(), offer.manifest)
            let picked = PickedOffers()
            picked.pick([id], of: [listed], from: peer.security.certifiedID, isCompared: false, isByPerson: true)
            let prompt = OfferDecider(
                store: store,
                picked: picked,
                acceptsAll: false,
                at: Console(
                    format: .text,
                    isQuiet: true,
                    screen: Screen(canAsk: true, isLive: false),
                    input: terminal.reader
                )
            )
            #expect((try await prompt.decide(offer).kinds != nil) == isTaken)
        }
    }

    // MARK: Whether somebody sees how much is transferred

    @Test func onlyAQuestionNeedsToKnowHowMuchIsTransferred() async throws {
        try await Self.withStore { store, id in
            let offer = try OfferMaker.offer(id, from: OfferMaker.peer())
            #expect(!Self.prompt(store, acceptsAll: false).asks(about: offer.manifest))
            #expect(!Self.prompt(store, acceptsAll: true, try Pipe()).asks(about: offer.manifest))
            let terminal = try Pipe()
            terminal.write("y\n")
            let prompt = Self.prompt(store, acceptsAll: false, terminal)
            #expect(prompt.asks(about: offer.manifest))
            #expect(try await Self.refusal(prompt, offer) == nil)
            // The same offer is not asked about again, another one is.
            #expect(!prompt.asks(about: offer.manifest))
            let other = try OfferMaker.offer(id, .init(map: 7), from: OfferMaker.peer())
            #expect(prompt.asks(about: other.manifest))
        }
    }

    // MARK: What a person sees

    @Test(arguments: [true, false]) func theOfferSaysWhetherTheItemsHereStay(isTrusted: Bool) async throws {
        try await Self.withStore { store, id in
            let shown = Locked("")
            let screen = Screen(canAsk: false, isLive: false, output: { text, _ in shown.withLock { $0 += text } })
            let prompt = OfferDecider(
                store: store,
                kinds: [.waypoints],
                acceptsAll: true,
                at: Console(format: .text, screen: screen)
            )
            let offer = try OfferMaker.offer(id, .init(waypoints: 3), from: OfferMaker.peer(isTrusted: isTrusted))
            #expect(try await Self.refusal(prompt, offer) == nil)
            #expect(shown.value.contains("newer waypoints replace older ones") == isTrusted, "\(shown.value)")
            #expect(shown.value.contains("its waypoints stay") != isTrusted, "\(shown.value)")
        }
    }

    // MARK: The same map under another id

    @Test func aYesMakesOneRegionOfTheSameMap() async throws {
        try await Self.withStore { store, own in
            try await TemporaryDirectory.with { directory in
                let other = try RegionStore(path: directory.path("other"))
                let id = try other.importMap(at: OfferMaker.map, name: "Anna's").region.id
                let offer = TransferOffer(peer: OfferMaker.peer(), manifest: try other.source(for: id).manifest)
                let (terminal, shown) = (try Pipe(), Locked(""))
                let screen = Screen(canAsk: true, isLive: false, output: { text, _ in shown.withLock { $0 += text } })
                let console = Console(format: .text, screen: screen, input: terminal.reader)
                func prompt(acceptsAll: Bool) -> OfferDecider {
                    OfferDecider(store: store, acceptsAll: acceptsAll, at: console)
                }

                terminal.write("n\n")
                #expect(try await prompt(acceptsAll: false).decide(offer).kinds == nil)
                #expect(shown.value.contains("You have this map already, as “Coma Pedrosa”"), "\(shown.value)")
                // Nobody agrees: two regions.
                #expect(try await prompt(acceptsAll: true).decide(offer).kinds != nil)
                #expect(try store.regions().map(\.id) == [own])

                terminal.write("y\n")
                #expect(try await prompt(acceptsAll: false).decide(offer).kinds != nil)
                #expect(try store.regions().map(\.id) == [id])
                #expect(try store.regions().map(\.name) == ["Coma Pedrosa"])
            }
        }
    }

    @Test func aYesIsNotForARoutingDatabaseThatComesDuringTheQuestion() async throws {
        try await Self.withStore { store, id in
            let terminal = try Pipe()
            let answer: @Sendable (String) -> Void = { text in
                guard text.contains("Take it?") else { return }
                #expect(throws: Never.self) { try OfferMaker.addRouting(to: id, of: store) }
                terminal.write("y\n")
                terminal.closeWriter()
            }
            let screen = Screen(canAsk: true, isLive: false, output: { text, _ in answer(text) })
            let prompt = OfferDecider(
                store: store,
                acceptsAll: false,
                at: Console(format: .text, isQuiet: true, screen: screen, input: terminal.reader)
            )
            let offer = try OfferMaker.offer(id, .init(routing: 2), from: OfferMaker.peer())
            let refusal = try await Self.refusal(prompt, offer)
            #expect(refusal?.message.contains("changed on this machine while you were asked") == true)
            #expect(refusal?.code == .changed && !prompt.hasAgreed)
        }
    }

    // MARK: After a reconnection

    @Test func anEarlierYesHoldsForTheSameOfferOfTheSamePeer() async throws {
        try await Self.withStore { store, id in
            let terminal = try Pipe()
            terminal.write("y\n")
            // A further question would find the end of the input, which is a no.
            terminal.closeWriter()
            let prompt = Self.prompt(store, acceptsAll: false, terminal)
            let offer = try OfferMaker.offer(id, from: OfferMaker.peer())
            #expect(try await Self.refusal(prompt, offer) == nil)
            #expect(try await Self.refusal(prompt, offer) == nil)
        }
    }

    @Test func partsThatThePersonLeftOutStayOutAfterAReconnection() async throws {
        try await Self.withStore { store, _ in
            let terminal = try Pipe()
            terminal.write("map\ny\n")
            terminal.closeWriter()
            let prompt = Self.prompt(store, acceptsAll: false, terminal)
            let offer = try OfferMaker.offer(UUID(), .init(routing: 2), from: OfferMaker.peer())
            for _ in 0..<2 { #expect(try await prompt.decide(offer).kinds == [.mbtiles]) }
        }
    }

    enum Change: CaseIterable, Sendable {
        case map, routing, offer, peer
    }

    @Test(arguments: Change.allCases)
    func anEarlierYesDoesNotHoldIfSomethingHasChanged(change: Change) async throws {
        try await TemporaryDirectory.with { directory in
            let other = try RegionStore(path: directory.path("other"))
            let id = try other.importMap(at: OfferMaker.map).region.id
            let store = try RegionStore(path: directory.path("store"))
            if change != .map { try OfferMaker.move(id, from: other, to: store) }
            let terminal = try Pipe()
            terminal.write("y\n")
            terminal.closeWriter()
            let prompt = Self.prompt(store, acceptsAll: false, terminal)
            var offer = try OfferMaker.offer(id, .init(routing: 2), from: OfferMaker.peer())
            #expect(try await Self.refusal(prompt, offer) == nil)
            switch change {
            case .map: try OfferMaker.move(id, from: other, to: store)
            case .routing: try OfferMaker.addRouting(to: id, of: store)
            case .offer: offer = try OfferMaker.offer(id, .init(map: 7, routing: 2), from: OfferMaker.peer())
            case .peer: offer.peer = OfferMaker.peer(id: 9)
            }
            #expect(try await Self.refusal(prompt, offer)?.code == .declined)
        }
    }

    @Test func anUnattendedReceiverLooksAgainAtWhatIsHere() async throws {
        try await TemporaryDirectory.with { directory in
            let other = try RegionStore(path: directory.path("other"))
            let id = try other.importMap(at: OfferMaker.map).region.id
            let store = try RegionStore(path: directory.path("store"))
            let prompt = Self.prompt(store, acceptsAll: true)
            let offer = try OfferMaker.offer(id, from: OfferMaker.peer())
            #expect(try await Self.refusal(prompt, offer) == nil)
            // The region arrives from another sender before the connection is back.
            try OfferMaker.move(id, from: other, to: store)
            #expect(try await Self.refusal(prompt, offer)?.code == .notTrusted)
        }
    }

    @Test func inPlainTextAPersonIsAskedEachTime() async throws {
        try await Self.withStore { store, id in
            let terminal = try Pipe()
            terminal.write("y\n")
            terminal.closeWriter()
            let prompt = Self.prompt(store, acceptsAll: false, terminal)
            let offer = try OfferMaker.offer(id, from: OfferMaker.peer(isEncrypted: false))
            #expect(try await Self.refusal(prompt, offer) == nil)
            #expect(prompt.agreedPeer == nil)
            // Anyone on the network can be this peer now.
            #expect(try await Self.refusal(prompt, offer)?.code == .declined)
        }
    }
}

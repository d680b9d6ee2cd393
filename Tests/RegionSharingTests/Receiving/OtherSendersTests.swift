import Foundation
import NIOCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Another sender of the same map takes the place of one that has left.
@Suite(.timeLimit(.minutes(10))) struct OtherSendersTests {
    private static let map = Sample.digest(1)
    private static let error = PeerError(.cannotConnect, "Nobody is there.")

    /// A sender that announces a map.
    private static func peer(
        _ name: String,
        _ number: UInt8,
        map: ContentDigest? = map,
        kind: ResourceKind = .mbtiles
    ) throws -> DiscoveredPeer {
        var peer = Sample.discovered(name, number)
        peer.socketAddresses = [try SocketAddress(ipAddress: "127.0.0.1", port: Int(number))]
        let name = ResourceName(kind: kind, id: UUID())
        let layout = try #require(ChunkLayout(size: 1_000_000))
        if let map {
            let region = try Sample.region(id: name.id).region
            let entry = ManifestEntry(name: name, layout: layout, digest: map)
            peer.info.custom = MapMark.custom(of: [try Manifest(id: name.id, describing: region, entries: [entry])])
        }
        return peer
    }

    @Test func onlySendersOfTheSameMapThatAreWelcomeTakeItsPlace() throws {
        let ana = try Self.peer("Ana", 1)
        var others = OtherSenders(first: .peer(ana))
        _ = others.failed(Self.error, at: .peer(ana), agreed: ana.peerID, broughtData: true)
        let all = others.substitutes(of: Self.map, trusted: [], takesAny: true)
        #expect(all.accepts(try Self.peer("Ben", 2)))
        #expect(all.accepts(try Self.peer("Eva", 5, kind: .foreign)))
        #expect(!all.accepts(try Self.peer("Cara", 3, map: Sample.digest(2))))
        #expect(!all.accepts(try Self.peer("Dan", 4, map: nil)))
        #expect(
            !others.substitutes(of: Self.map, trusted: [Sample.peerID(9)], takesAny: false).accepts(
                try Self.peer("Ben", 2)
            )
        )
        let info = try Self.peer("Ben", 2).info
        #expect(DiscoveryInfo(try info.txtRecord()).custom == info.custom)
    }

    /// What goes wrong with another sender does not end the search for the first one, and is not tried again.
    @Test func aSubstituteThatBringsNothingIsTriedOnce() throws {
        let (ana, ben) = (try Self.peer("Ana", 1), try Self.peer("Ben", 2))
        var others = OtherSenders(first: .peer(ana))
        #expect(!others.substitutes(of: Self.map, trusted: [], takesAny: true).isPreferred)
        for isPreferred in [false, true, false, true] {
            _ = others.failed(Self.error, at: .peer(ana), agreed: ana.peerID, broughtData: false)
            #expect(others.substitutes(of: Self.map, trusted: [], takesAny: true).isPreferred == isPreferred)
        }
        let lie = ReceivingError.anotherMap
        let after = others.failed(lie, at: .peer(ben), agreed: ana.peerID, broughtData: false)
        #expect((after.error as? PeerError)?.code == .cannotConnect)
        #expect(after.location.peerID == ana.peerID)
        #expect(!others.substitutes(of: Self.map, trusted: [], takesAny: true).accepts(ben))
    }

    /// Whoever announces many ids, or announces last, does not come before a trusted machine.
    @Test func aTrustedSubstituteComesFirst() throws {
        let announced = try (2...100).map { try Self.peer("Peer", $0) }
        let friend = SenderTracker.Substitutes(isPreferred: false, trusted: [Sample.peerID(40)]) { _ in true }
        for _ in 0..<20 { #expect(friend.choice(of: announced)?.peerID == Sample.peerID(40)) }
        let nobody = SenderTracker.Substitutes(isPreferred: false) { _ in true }
        #expect(Set((0..<200).compactMap { _ in nobody.choice(of: announced)?.peerID }).count > 20)
        #expect(nobody.choice(of: []) == nil)
    }

    @Test func theOtherSenderIsTriedWhenTheFirstIsNotSeen() async throws {
        let (ana, ben) = (try Self.peer("Ana", 1), try Self.peer("Ben", 2))
        #expect(try await Self.next(after: ana, announced: [ben]) == ben.peerID)
        #expect(try await Self.next(after: ana, announced: [ana, ben]) == ana.peerID)
        #expect(try await Self.next(after: ana, announced: [ana, ben], isPreferred: true) == ben.peerID)
        #expect(try await Self.next(after: ana, announced: [ana], isPreferred: true) == ana.peerID)
        #expect(try await Self.next(after: ana, announced: [try Self.peer("Cara", 3, map: nil)]) == ana.peerID)
    }

    private static func next(
        after peer: DiscoveredPeer,
        announced: [DiscoveredPeer],
        isPreferred: Bool = false
    ) async throws -> PeerID? {
        let discovery = InMemoryDiscovery.onOneMachine()
        let browser = PeerBrowser(serviceType: .hikeshare, backend: discovery)
        let substitutes = SenderTracker.Substitutes(isPreferred: isPreferred) { MapMark.matches(map, $0.info) }
        return try await advertise(announced[...], on: discovery) {
            await SenderTracker(browser: browser).nextLocation(
                after: .peer(peer),
                within: .milliseconds(300),
                or: substitutes,
                TransferControl()
            )?.peerID
        }
    }

    private static func advertise<Result: Sendable>(
        _ peers: ArraySlice<DiscoveredPeer>,
        on discovery: InMemoryDiscovery,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let peer = peers.first else { return try await body() }
        return try await PeerAdvertiser(serviceType: .hikeshare, backend: discovery).withAdvertisement(
            instanceName: peer.instanceName,
            port: peer.socketAddresses.first?.port ?? 0,
            info: peer.info
        ) { _ in try await advertise(peers.dropFirst(), on: discovery, body) }
    }

    // MARK: What the yes counts for

    private static func accepted(_ offer: TransferOffer) -> AcceptedOffer {
        AcceptedOffer(terms: terms(offer), kinds: [.mbtiles, .routing], entries: offer.manifest.entries)
    }

    private static func terms(_ offer: TransferOffer) -> AcceptedOffer.Terms {
        AcceptedOffer.Terms(offer)
    }

    private static func offer(
        _ difference: OfferMaker.Difference,
        _ number: UInt8,
        isTrusted: Bool = true
    ) throws -> TransferOffer {
        try OfferMaker.offer(try Sample.uuid(), difference, from: OfferMaker.peer(isTrusted: isTrusted, id: number))
    }

    @Test func theYesCountsForATrustedMachineThatOffersTheSame() throws {
        let first = try Self.offer(.init(routing: 3, waypoints: 4), 1)
        let accepted = Self.accepted(first)
        func covers(_ offer: TransferOffer) -> Bool {
            accepted.covers(offer, Self.terms(offer), .person)
        }
        #expect(covers(first))
        // It has other waypoints, which were not accepted.
        #expect(covers(try Self.offer(.init(routing: 3, waypoints: 5), 2)))
        #expect(!covers(try Self.offer(.init(routing: 3, waypoints: 5), 2, isTrusted: false)))
        #expect(!covers(try Self.offer(.init(map: 2, routing: 3), 2)))
        #expect(!covers(try Self.offer(.init(waypoints: 4), 2)))
        // Another offer of the same machine is a new question.
        #expect(!covers(try Self.offer(.init(routing: 3, waypoints: 5), 1)))
        var terms = Self.terms(try Self.offer(.init(routing: 3), 2))
        terms.localMap = Sample.digest(9)
        #expect(!accepted.covers(try Self.offer(.init(routing: 3), 2), terms, .person))
    }

    @Test func aSubstituteMustOfferTheSameMap() throws {
        let accepted = Self.accepted(try Self.offer(.init(), 1))
        try accepted.checkSubstitute(try Self.offer(.init(routing: 1), 2, isTrusted: false))
        try accepted.checkSubstitute(try Self.offer(.init(map: 2), 1))
        #expect(throws: ReceivingError.anotherMap) { try accepted.checkSubstitute(try Self.offer(.init(map: 2), 2)) }
    }
}

import FoundationEssentials
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// How sessions end, and the places of peers that are gone.
@Suite(.timeLimit(.minutes(10))) struct EndingTests {
    /// In memory: on a busy machine, the quarter of a second that a cancelled session waits may be too short for real sockets.
    @Test func aCancelledSessionSaysGoodbye() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            let ben = Task(executorPreference: network.executor) {
                try await world.session("ben") { ben in
                    try await ben.invite(at: [world.address(of: anna)])
                    await ReadyQueue<Void>().next()
                    try Task.checkCancellation()
                }
            }
            try await world.until(limit: .seconds(300)) { anna.connectedPeers.count == 1 }
            let id = try #require(anna.connectedPeers.first)
            ben.cancel()
            try await world.until(limit: .seconds(20)) { anna.peer(id)?.state == .disconnected(.left("")) }
            await #expect(throws: (any Error).self) { try await ben.value }
        }
    }

    /// The handler asks a person, who has gone for lunch, and does not stop when it is told to.
    @Test(arguments: World.Kind.allCases) func leavingDoesNotWaitForHandlers(_ kind: World.Kind) async throws {
        let world = World(kind)
        let isAsked = Locked(false)
        let lunch = ReadyQueue<Void>()
        defer { lunch.finish() }
        let asking = Settings {
            $0.checkCertificate = { _, _, _ in
                isAsked.withLock { $0 = true }
                // Not cancelled with the task that waits for it.
                await Task { _ = await lunch.next() }.value
                return nil
            }
        }
        try await world.session("ben") { ben in
            let start = Locked<ContinuousClock.Instant?>(nil)
            try await world.session("anna", asking) { anna in
                let address = try await world.address(of: anna)
                let invitation = Task { try await ben.invite(at: [address]) }
                try await world.until(limit: .seconds(300)) { isAsked.value }
                start.withLock { $0 = .now }
                _ = try await world.whileTimePasses { await anna.leave() }
                invitation.cancel()
            }
            let time = try #require(start.value).duration(to: .now)
            // Two seconds, and what a busy machine needs.
            #expect(time < .seconds(30))
        }
    }

    @Test func aPeerThatWasSentAwayHoldsNoPlace() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.maximumPeers = 1 }) { anna in
            try await world.sessions(["ben", "cara"]) { others in
                let (ben, cara) = (others[0], others[1])
                try await anna.invite(at: [world.address(of: ben)])
                await #expect(throws: PeerError.self) { try await anna.invite(at: [world.address(of: cara)]) }
                await anna.disconnect(ben.local.id)
                _ = try await world.whileTimePasses { try await anna.invite(at: [world.address(of: cara)]) }
                #expect(anna.connectedPeers == [cara.local.id])
            }
        }
    }

    /// As long as its link can be resumed, it has its place; then another peer may have it.
    @Test func aPeerThatIsGoneHoldsItsPlaceForAsLongAsItsLink() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Settings { $0.maximumPeers = 1 }) { anna in
            try await world.sessions(["ben", "cara"]) { others in
                let (ben, cara) = (others[0], others[1])
                try await anna.invite(at: [world.address(of: ben)])
                network.block(from: "anna", to: "ben")
                network.block(from: "ben", to: "anna")
                network.cut("anna", "ben")
                await network.clock.advance(by: .seconds(20))
                let error = await #expect(throws: PeerError.self) {
                    try await anna.invite(at: [world.address(of: cara)])
                }
                #expect(error?.code == .busy)
                await network.clock.advance(by: .seconds(20))
                _ = try await world.whileTimePasses { try await anna.invite(at: [world.address(of: cara)]) }
                #expect(anna.connectedPeers == [cara.local.id])
            }
        }
    }

    @Test func afterItsEndASessionSaysSo() async throws {
        let world = World(.memory)
        let ended = Locked<PeerSession?>(nil)
        try await world.session("anna") { anna in ended.withLock { $0 = anna } }
        let anna = try #require(ended.value)
        let advertising = await #expect(throws: PeerError.self) { try await anna.advertise() }
        let browsing = await #expect(throws: PeerError.self) { for try await _ in anna.browse() {} }
        let linking = await #expect(throws: PeerError.self) { _ = try await anna.makeShareLink() }
        let nowhere = PeerAddress(host: "192.0.2.99", port: 1)
        let inviting = await #expect(throws: PeerError.self) { try await anna.invite(at: [nowhere]) }
        let sending = await #expect(throws: PeerError.self) { try await anna.send(Line(text: "Hello")).get() }
        let flushing = await #expect(throws: PeerError.self) { try await anna.flush().get() }
        let id = try world.configuration("ben").local.id
        let asking = await #expect(throws: PeerError.self) {
            _ = try await anna.request(Greeting(name: "Anna"), from: id)
        }
        let opening = await #expect(throws: PeerError.self) { _ = try await anna.openStream(named: "log", to: id) }
        let measuring = await #expect(throws: PeerError.self) { _ = try await anna.roundTrip(to: id) }
        let content = ResourceContent.bytes(Data([1]))
        let offering = await #expect(throws: PeerError.self) {
            _ = try await anna.send(resource: content, named: "photo", to: id)
        }
        let offeringToAll = await #expect(throws: PeerError.self) {
            _ = try await anna.send(resource: content, named: "photo")
        }
        let bytes = await #expect(throws: PeerError.self) { _ = try await anna.send(Data([1]), to: [id]) }
        let bytesToOne = await #expect(throws: PeerError.self) { try await anna.send(Data([1]), to: id) }
        let errors = [
            advertising, browsing, linking, inviting, sending, flushing, asking, opening, measuring, offering,
            offeringToAll, bytes, bytesToOne,
        ]
        #expect(errors.map { $0?.message } == errors.map { _ in "The session has already ended." })
    }

    @Test(arguments: World.Kind.allCases) func nobodyInvitesItself(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.session("anna") { anna in
            let error = await #expect(throws: PeerError.self) {
                _ = try await world.whileTimePasses { try await anna.invite(at: [world.address(of: anna)]) }
            }
            #expect(error?.code == .invalidArgument && error?.message == "This machine cannot invite itself.")
        }
    }

    /// The last call counts; when it ends, the one before it counts again.
    @Test func anEarlierAnnouncementComesBack() async throws {
        let world = World(.memory)
        try await world.sessions { anna, ben in
            let found = Locked<[NearbyPeer]>([])
            let browsing = Task { for try await peers in ben.browse() { found.withLock { $0 = peers } } }
            let hasReturned = Locked(false)
            let first = Task {
                try? await anna.advertise(info: ["state": "idle"])
                hasReturned.withLock { $0 = true }
            }
            try await world.until { found.withLock { $0.first?.info == ["state": "idle"] } }
            let second = Task { try? await anna.advertise(info: ["state": "busy"]) }
            try await world.until { found.withLock { $0.map(\.info) == [["state": "busy"]] } }
            #expect(!hasReturned.value)
            second.cancel()
            try await world.until { found.withLock { $0.map(\.info) == [["state": "idle"]] } }
            first.cancel()
            try await world.until { found.withLock { $0.isEmpty } && hasReturned.value }
            browsing.cancel()
        }
    }
}

import PeerCore
import PeerProtocol
import PeerTestSupport
import Testing

@testable import NearbyPeers

/// The tables of a session.
@Suite struct TableTests {
    private static let now = PeerStateSample.now

    private static func id(_ number: Int) -> PeerID {
        PeerID(digest: ContentDigest(hashing: [UInt8(number / 256), UInt8(number % 256), 7]))
    }

    private static func table() throws -> PeerTable {
        let service = try #require(PeerServiceType("tables"))
        let identity = try PeerIdentity.generate(for: service)
        let local = LocalPeer(application: service, identity: identity, displayName: "Anna", software: "test 1")
        return PeerTable(PeerSession.Configuration(local: local))
    }

    /// The entry of a peer whose link ended some seconds ago.
    private static func lost(_ id: PeerID, _ seconds: Int) -> PeerEntry {
        var machine = PeerStateMachine(id: id, decides: true)
        _ = machine.established(at: now)
        _ = machine.giveUp(.linkLost, .lost, at: now - .seconds(seconds))
        return PeerEntry(machine: machine)
    }

    @Test func aPeerThatNeverHadALinkIsForgotten() throws {
        var peers = try Self.table()
        let id = PeerStateSample.id
        peers[id] = PeerEntry(machine: PeerStateSample.machine(.fresh))
        #expect(peers.surplus(after: id, isKept: { _ in false }, at: Self.now) == id)
        #expect(peers.surplus(after: id, isKept: { $0 == id }, at: Self.now) == nil)
        peers[id]?.connections[.incoming(1)] = 1
        #expect(peers.surplus(after: id, isKept: { _ in false }, at: Self.now) == nil)
        #expect(peers.surplus(after: PeerStateSample.other, isKept: { _ in false }, at: Self.now) == nil)
    }

    @Test(arguments: [PeerStateSample.dialing, .inviting, .asking, .linked, .resuming, .unreachable])
    func aPeerThatIsWantedStays(_ state: PeerStateSample) throws {
        var peers = try Self.table()
        peers[PeerStateSample.id] = PeerEntry(machine: PeerStateSample.machine(state))
        #expect(peers.surplus(after: PeerStateSample.id, isKept: { _ in false }, at: Self.now) == nil)
    }

    @Test func ofTooManyPeersTheOneThatWasLostFirstIsForgotten() throws {
        var peers = try Self.table()
        for number in 0..<PeerTable.maximumCount { peers[Self.id(number)] = Self.lost(Self.id(number), 1000 - number) }
        let newest = Self.id(PeerTable.maximumCount - 1)
        #expect(peers.surplus(after: newest, isKept: { _ in false }, at: Self.now) == nil)
        let other = PeerStateSample.other
        peers[other] = Self.lost(other, 0)
        #expect(peers.surplus(after: newest, isKept: { _ in false }, at: Self.now) == Self.id(0))
        #expect(peers.surplus(after: newest, isKept: { $0 == Self.id(0) }, at: Self.now) == Self.id(1))
        _ = peers[Self.id(0)]?.machine.disconnected(by: 1, at: Self.now)
        #expect(peers.surplus(after: newest, isKept: { _ in false }, at: Self.now) == Self.id(1))
    }

    @Test func numbersRise() {
        var connections = ConnectionTable()
        let numbers = [connections.makeNumber(), connections.makeNumber(), connections.makeNumber()]
        #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
        #expect(connections.isEmpty && connections.unfinished().isEmpty && connections.carrierCounts.isEmpty)
    }

    @Test func aNameIsKnownOnBothSidesOrOnNone() throws {
        var connections = ConnectionTable()
        var entry: PeerEntry? = PeerEntry(machine: PeerStateSample.machine(.fresh))
        // A connection that is closed has no name to remove.
        let none = connections.unname(7, in: &entry)
        #expect(none == nil)
        var named = PeerEntry(machine: PeerStateSample.machine(.fresh))
        let name = connections.name(7, in: &named)
        #expect(name == .incoming(7) && named.connections == [.incoming(7): 7])
    }

    @Test func callsAreCompletedOnce() async throws {
        let id = PeerStateSample.id
        let result = await withCheckedContinuation { (continuation: LinkCalls.Continuation) in
            var calls = LinkCalls()
            calls.begin(1, for: .connection(5), continuation)
            #expect(calls.subject(of: 1) == .connection(5))
            #expect(!calls.isAwaited(.peer(id)))
            let call = calls.identified(5, as: id)
            #expect(call == 1)
            #expect(calls.isAwaited(.peer(id)))
            // The connection is not what it waits for any more.
            calls.fail(connection: 5, .closedEarly)
            calls.finish(1, .success(id))
            calls.finish(1, .failure(.linkLost))
            let again = calls.identified(5, as: id)
            #expect(calls.subject(of: 1) == nil && again == nil)
        }
        #expect(try result.get() == id)
        let failed = await withCheckedContinuation { (continuation: LinkCalls.Continuation) in
            var calls = LinkCalls()
            calls.begin(2, for: .connection(5), continuation)
            calls.fail(connection: 6, .linkLost)
            calls.fail(connection: 5, .closedEarly)
        }
        #expect(throws: PeerError.closedEarly) { try failed.get() }
    }

    @Test func stoppedBodiesReturnTheirValueWithAMark() async {
        let stop = ReadyQueue<Void>(maximumCount: 1)
        let release = ReadyQueue<Void>(maximumCount: 1)
        stop.add(())
        let late = await stoppable {
            // Ends only after it was stopped.
            _ = await release.next()
            return 7
        } by: {
            _ = await stop.next()
        }
        #expect(late.value == 7 && late.wasStopped)
        let early = await stoppable({ 8 }, by: { _ = await release.next() })
        #expect(early.value == 8 && !early.wasStopped)
    }
}

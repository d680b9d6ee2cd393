import FoundationEssentials
import NIOCore
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// What a link sends, and what it tells the session.
@Suite(.timeLimit(.minutes(10))) struct LinkDriverTests {
    private let network = InMemoryNetwork()
    private let connection = UnreadConnection()
    private let notices = Locked<[LinkState.Notice]>([])

    private func link() -> LinkDriver {
        let ids = [1, 2].map { PeerID(digest: ContentDigest(hashing: [$0])) }.sorted { $0.hex < $1.hex }
        let link = LinkDriver(
            with: ids[0],
            local: ids[1],
            limits: .standard,
            terms: LinkTerms(epoch: 1, connectionCount: 0, received: 0, window: 65_536, maximumMessageLength: 1 << 20),
            inboxes: Inboxes(messages: [:], requests: [:]),
            clock: network.clock,
            notify: { [notices] _, notice in notices.withLock { $0.append(notice) } }
        )
        link.attach(to: connection, 1, received: 0)
        return link
    }

    private var credits: [UInt64] {
        connection.frames.compactMap { if case .credit(let credit) = $0 { credit.received } else { nil } }
    }

    @Test func oneCreditWaitsForAPeerThatDoesNotRead() async throws {
        let link = link()
        // The peer's numbers are even: its id is the smaller one.
        link.received([.open(2, .bytes, "log")], on: 1)
        for _ in 0..<1000 {
            link.received([.open(2, .bytes, "log")], on: 0)
            link.received([.resource], on: 1)
            await network.clock.advance(by: .milliseconds(50))
        }
        #expect(credits == [2])
        // The next one says all that the others would have said.
        connection.take()
        #expect(credits == [2, 1001])
        connection.take()
        await network.clock.advance(by: .seconds(10))
        #expect(credits == [2, 1001])
        link.received([.resource], on: 1)
        await network.clock.advance(by: .seconds(1))
        #expect(credits == [2, 1001, 1002])
    }

    @Test func anotherConnectionIsSentACreditAlthoughTheOldOneHasTakenNone() async throws {
        let link = link()
        link.received([.resource], on: 1)
        await network.clock.advance(by: .seconds(1))
        #expect(credits == [1])
        #expect(link.prepare() == 1)
        let other = UnreadConnection()
        link.attach(to: other, 2, received: 0)
        link.received([.resource], on: 2)
        await network.clock.advance(by: .seconds(1))
        // The old connection has nothing to say any more.
        connection.take()
        #expect(other.frames == [.credit(Credit(received: 2, limits: []))])
    }

    @Test func noticesAreToldInTheOrderInWhichTheyCame() {
        var queue = LinkState.NoticeQueue()
        let begins = [
            queue.begin(adding: [.withdrawn(1)]), queue.begin(adding: [.withdrawn(2), .withdrawn(3)]),
            queue.begin(adding: []),
        ]
        // One tells all, those included that come meanwhile.
        #expect(begins == [true, false, false])
        var told: [UInt32] = []
        while let notices = queue.takeAll() {
            for case .withdrawn(let number) in notices { told.append(number) }
        }
        #expect(told == [1, 2, 3])
        let isLater = queue.begin(adding: [.withdrawn(4)])
        #expect(isLater)
    }
}

extension Frame {
    /// An offer of no bytes.
    fileprivate static var resource: Frame {
        let notice = ResourceNotice(
            transfer: UUID(),
            verb: .offer(ResourceNotice.Offer(name: "film", size: 0, count: 1))
        )
        return .record(Record(.resource, payload: (try? notice.encoded()) ?? ByteBuffer()))
    }
}

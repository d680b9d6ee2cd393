import NIOConcurrencyHelpers
public import NIOCore
public import PeerCore

/// A peer that discovery sees.
///
/// Announcements prove nothing. Escape names and properties before you show them.
///
/// See <doc:GettingStarted> for an example.
public struct NearbyPeer: Identifiable, Hashable, Sendable {
    /// Identifies the peer: the id that it claims, or its name if it claims none.
    public var id: String
    /// The id that it claims; nil if it claims none.
    public var peerID: PeerID?
    /// The name to show to people.
    public var displayName: String
    /// The properties that the peer's application announces.
    public var info: [String: String]
    /// The addresses at which the peer listens, the most promising first.
    public var addresses: [SocketAddress]

    /// The addresses that a program on this machine has announced.
    var localAddresses: [SocketAddress]

    /// The ports of its addresses; a program that has restarted usually has another one.
    var ports: Set<Int> { Set(addresses.compactMap(\.port)) }

    init(_ peer: DiscoveredPeer) {
        self.id = peer.id
        self.peerID = peer.peerID
        self.displayName = peer.displayName
        self.info = peer.info.custom
        self.addresses = peer.addresses
        self.localAddresses = peer.localAddresses
    }
}

/// The peers that discovery sees; each element lists all of them.
///
/// The search runs while the sequence is iterated. It fails with `PeerError.Code.discoveryUnavailable` if discovery does not
/// work.
///
/// See <doc:GettingStarted> for an example.
public struct PeerBrowsing: AsyncSequence, Sendable {
    /// All peers that are visible now, by name.
    public typealias Element = [NearbyPeer]
    /// `PeerError` with `PeerError.Code.discoveryUnavailable`.
    public typealias Failure = PeerError

    let search: NearbySearch

    /// Begins to look for peers.
    public func makeAsyncIterator() -> Iterator {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let list = NearbyList(changed: continuation)
        let stop = ReadyQueue<Void>()
        continuation.onTermination = { _ in stop.finish() }
        let search = search
        let runs = search.work.add {
            await stoppable {
                await search.browse(list)
            } by: {
                _ = await stop.next()
            }
            continuation.finish()
        }
        if !runs { continuation.finish() }
        return Iterator(list: list, changes: changes.makeAsyncIterator())
    }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        let list: NearbyList
        var changes: AsyncStream<Void>.Iterator

        /// Returns all visible peers after the next change; nil when the session has ended.
        public mutating func next() async throws(PeerError) -> [NearbyPeer]? { try await next(isolation: nil) }

        /// Returns all visible peers after the next change; nil when the session has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> [NearbyPeer]? {
            guard await changes.next(isolation: actor) != nil else {
                if let failure = list.takeFailure() { throw failure }
                return nil
            }
            return list.all
        }
    }
}

/// All peers that are visible now; a slow reader gets the newest list only.
final class NearbyList: Sendable {
    private struct State {
        var found: [String: NearbyPeer] = [:]
        var failure: PeerError?
    }

    private let box = NIOLockedValueBox(State())
    private let changed: AsyncStream<Void>.Continuation

    init(changed: AsyncStream<Void>.Continuation) { self.changed = changed }

    /// All peers, by name.
    var all: [NearbyPeer] {
        box.withLockedValue { $0.found.values }.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
    }

    /// Adds, changes or removes a peer.
    func set(_ peer: NearbyPeer?, for id: String) {
        box.withLockedValue { $0.found[id] = peer }
        changed.yield()
    }

    /// Notes that the list of the peers that were visible at the start is complete.
    func noteStart() { changed.yield() }

    /// Ends the list with an error.
    func fail(_ error: PeerError) {
        box.withLockedValue { $0.failure = error }
        changed.finish()
    }

    /// Returns why the list has ended, once; nil if there is no reason.
    func takeFailure() -> PeerError? {
        box.withLockedValue { state in
            defer { state.failure = nil }
            return state.failure
        }
    }
}

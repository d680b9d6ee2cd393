public import NIOCore
public import PeerCore

/// A peer that discovery sees.
///
/// Nothing of it is proved. Escape names and properties before you show them.
///
/// See <doc:GettingStarted> for an example.
public struct NearbyPeer: Identifiable, Hashable, Sendable {
    /// Identifies the peer: its claimed id, or its name if it claims none.
    public var id: String
    /// The id that it claims; nil if it claims none.
    public var peerID: PeerID?
    /// The name to show.
    public var displayName: String
    /// What its application announces.
    public var info: [String: String]
    /// Where it listens, the most promising address first.
    public var addresses: [SocketAddress]

    /// The ports of its addresses; a program that was started again usually has another one.
    var ports: Set<Int> { Set(addresses.compactMap(\.port)) }

    init(_ peer: DiscoveredPeer) {
        self.id = peer.id
        self.peerID = peer.peerID
        self.displayName = peer.displayName
        self.info = peer.info.custom
        self.addresses = peer.addresses
    }
}

/// The peers that discovery sees; each element lists all of them.
///
/// Looks for peers as long as somebody iterates. Fails with `PeerError.Code.discoveryUnavailable` if discovery does not work.
///
/// See <doc:GettingStarted> for an example.
public struct PeerBrowsing: AsyncSequence, Sendable {
    /// Everybody who is there now, by name.
    public typealias Element = [NearbyPeer]
    /// `PeerError` with `PeerError.Code.discoveryUnavailable`.
    public typealias Failure = PeerError

    let hub: SessionHub

    /// Begins to look.
    public func makeAsyncIterator() -> Iterator {
        let (snapshots, continuation) = AsyncStream.makeStream(
            of: Result<[NearbyPeer], PeerError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let stop = ReadyQueue<Void>()
        continuation.onTermination = { _ in stop.finish() }
        let hub = hub
        let runs = hub.spawn {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await hub.browse(continuation) }
                group.addTask { _ = await stop.next() }
                await group.next()
                group.cancelAll()
            }
            continuation.finish()
        }
        if !runs { continuation.finish() }
        return Iterator(snapshots: snapshots.makeAsyncIterator())
    }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        var snapshots: AsyncStream<Result<[NearbyPeer], PeerError>>.Iterator

        /// Returns everybody who is there after the next change; nil when the session has ended.
        public mutating func next() async throws(PeerError) -> [NearbyPeer]? { try await next(isolation: nil) }

        /// Returns everybody who is there after the next change; nil when the session has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> [NearbyPeer]? {
            try await snapshots.next(isolation: actor)?.get()
        }
    }
}

extension SessionHub {
    /// Looks for peers until the task is cancelled.
    func browse(_ snapshots: AsyncStream<Result<[NearbyPeer], PeerError>>.Continuation) async {
        let browser = PeerBrowser(
            serviceType: configuration.local.application,
            ownID: localID,
            backend: transport.discovery,
            logger: logger
        )
        do {
            try await browser.withEvents { events in
                var found: [String: NearbyPeer] = [:]
                for await event in events {
                    switch event {
                    case .found(let peer), .changed(let peer):
                        let peer = NearbyPeer(peer)
                        found[peer.id] = peer
                        sighted(peer)
                    case .lost(let id):
                        found[id] = nil
                    case .allForNow:
                        break
                    case .failed(let error):
                        board.report(.discoveryFailed(error))
                        continue
                    }
                    let all = found.values.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
                    snapshots.yield(.success(all))
                }
            }
        } catch {
            snapshots.yield(.failure(error as? PeerError ?? .discoveryStopped(error)))
            snapshots.finish()
        }
    }
}

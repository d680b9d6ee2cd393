import NIOConcurrencyHelpers
public import PeerCore

/// The peers that discovery sees; each element lists all of them.
///
/// The search runs while the sequence is iterated. It fails with `PeerError.Code.discoveryUnavailable` if discovery does not work,
/// and with `PeerError.Code.notConnected` if the session has ended before. If the session ends or the task is cancelled meanwhile,
/// the sequence ends.
///
/// See <doc:GettingStarted> for an example.
public struct PeerBrowsing: AsyncSequence, Sendable {
    /// All peers that are visible now, by name.
    public typealias Element = [NearbyPeer]
    /// `PeerError` with `PeerError.Code.discoveryUnavailable` or `PeerError.Code.notConnected`.
    public typealias Failure = PeerError

    /// What the hub has to know.
    enum Event: Sendable {
        /// Discovery sees a peer, or sees it at other addresses.
        case sighted(NearbyPeer)
        /// The session's own search sees these peers and no others.
        case listed([NearbyPeer])
        case works
        case failed(PeerError)
    }

    let configuration: PeerSession.Configuration
    let transport: any PeerTransport
    let work: HubWork
    let tellHub: @Sendable (Event) async -> Void

    /// Begins to look for peers.
    public func makeAsyncIterator() -> Iterator {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let list = PeerList(changed: continuation)
        let stop = ReadyQueue<Void>()
        continuation.onTermination = { _ in stop.finish() }
        let runs = work.add {
            _ = await stoppable({ await browse(list) }, by: { _ = await stop.next() })
            continuation.finish()
        }
        if !runs { list.fail(.sessionEnded) }
        return Iterator(list: list, changes: changes.makeAsyncIterator())
    }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        let list: PeerList
        var changes: AsyncStream<Void>.Iterator

        /// Returns all visible peers after the next change; nil when the session has ended or the task is cancelled.
        public mutating func next() async throws(PeerError) -> [NearbyPeer]? { try await next(isolation: nil) }

        /// Returns all visible peers after the next change; nil when the session has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PeerError) -> [NearbyPeer]? {
            guard await changes.next(isolation: actor) != nil else {
                if let failure = list.takeFailure() { throw failure }
                return nil
            }
            return list.all
        }
    }
}

extension PeerBrowsing {
    /// All peers that are visible now; a slow reader gets the newest list only.
    final class PeerList: Sendable {
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
}

extension PeerBrowsing {
    /// The shortest time between two lists of peers.
    private static let listPause: Duration = .milliseconds(100)

    /// Keeps the hub informed of the peers nearby until the task is cancelled.
    func watch() async {
        while !Task.isCancelled {
            do throws(PeerError) {
                for try await found in self {
                    await tellHub(.listed(found))
                    // Each list replaces the one before, so this pause loses nothing, and announcements that change fast cost
                    // little.
                    guard (try? await transport.clock.sleep(for: Self.listPause)) != nil else { return }
                }
            } catch {
                guard error != .sessionEnded else { return }
                await tellHub(.failed(error))
            }
            guard (try? await transport.clock.sleep(for: NearbyInviter.pause)) != nil else { return }
        }
    }

    /// Keeps a list of the peers that are visible until the task is cancelled.
    fileprivate func browse(_ list: PeerList) async {
        let browser = PeerBrowser(
            serviceType: configuration.local.application,
            ownID: configuration.local.id,
            backend: transport.discovery,
            logger: configuration.logger
        )
        do {
            try await browser.withEvents { events in
                for await event in events {
                    switch event {
                    case .found(let peer), .changed(let peer):
                        let peer = NearbyPeer(peer)
                        list.set(peer, for: peer.id)
                        await tellHub(.sighted(peer))
                    case .lost(let id): list.set(nil, for: id)
                    case .allForNow:
                        await tellHub(.works)
                        list.noteStart()
                    case .failed(let error): await tellHub(.failed(error))
                    }
                }
            }
        } catch {
            list.fail(error as? PeerError ?? .discoveryStopped(error))
        }
    }
}

import PeerCore

/// Looks for peers nearby, for the session and for the application.
struct NearbySearch: Sendable {
    /// What the hub has to know.
    enum Event: Sendable {
        /// Discovery sees a peer, or sees it at other addresses.
        case sighted(NearbyPeer)
        /// The session's own search sees these peers and no others.
        case listed([NearbyPeer])
        case works
        case failed(PeerError)
    }

    /// The shortest time between two lists of peers.
    private static let listPause: Duration = .milliseconds(100)

    let configuration: PeerSession.Configuration
    let transport: any PeerTransport
    let work: HubWork
    let tellHub: @Sendable (Event) async -> Void

    /// Keeps the hub informed of the peers nearby until the task is cancelled.
    func watch() async {
        while !Task.isCancelled {
            do throws(PeerError) {
                for try await found in PeerBrowsing(search: self) {
                    await tellHub(.listed(found))
                    // Each list replaces the one before, so this pause loses nothing, and announcements that change fast cost
                    // little.
                    guard (try? await transport.clock.sleep(for: Self.listPause)) != nil else { return }
                }
            } catch {
                await tellHub(.failed(error))
            }
            guard (try? await transport.clock.sleep(for: NearbyInviter.pause)) != nil else { return }
        }
    }

    /// Keeps a list of the peers that are visible until the task is cancelled.
    func browse(_ list: NearbyList) async {
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
                    case .lost(let id):
                        list.set(nil, for: id)
                    case .allForNow:
                        await tellHub(.works)
                        list.noteStart()
                    case .failed(let error):
                        await tellHub(.failed(error))
                    }
                }
            }
        } catch {
            list.fail(error as? PeerError ?? .discoveryStopped(error))
        }
    }
}

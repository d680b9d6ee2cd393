import PeerCore
import PeerProtocol

/// Announcements, share links, and tests of connections.
extension SessionHub {
    /// Announces this machine until the task is cancelled or the session ends; of several calls, the latest one counts.
    func advertise(_ info: [String: String], _ name: String) async throws(PeerError) {
        guard !hasLeft else { throw .sessionEnded }
        let call = presence.add(connections.makeNumber())
        defer { presence.remove(call) }
        let discovery = transport.discovery
        while !Task.isCancelled, !hasLeft {
            if isAnnounced(call) {
                try await states.announce(info, name, port: presence.port, configuration, by: discovery) {
                    // Until a newer call takes the place of this one.
                    while await self.isAnnounced(call), await call.changes.next() != nil {}
                }
            } else {
                _ = await call.changes.next()
            }
        }
    }

    private func isAnnounced(_ call: Presence.Announcement) -> Bool { !hasLeft && presence.isLast(call) }

    /// Makes a share link, whose token admits any peer that has it.
    func makeShareLink() throws(PeerError) -> ShareLink {
        guard !hasLeft else { throw .sessionEnded }
        return try ShareLink(
            for: configuration.local.application,
            addresses: Array(ownAddresses.prefix(ShareLink.maximumAddressCount)),
            id: localID,
            token: presence.token
        )
    }

    /// How many connections carry the link with each peer.
    var carrierCounts: [PeerID: Int] { connections.carrierCounts }

    /// Measures the round trip on the connection that carries a link.
    func roundTrip(to id: PeerID, _ timeout: Duration) async throws(PeerError) -> Duration {
        guard let connection = peers[id]?.carrier.flatMap({ connections[$0]?.connection }) else { throw .notConnected }
        let late = PeerError(.timedOut, "The other side did not answer in time.")
        let time = try await clock.within(timeout, orThrow: late) { () async throws(PeerError) in
            await connection.roundTrip()
        }
        guard let time else { throw .notConnected }
        return time
    }
}

import NIOCore
import PeerCore
import PeerProtocol

/// Announcements, share links, and tests of connections.
extension SessionHub {
    /// Announces this machine until the task is cancelled or the session ends.
    ///
    /// If several calls run, the latest one counts.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable``, ``PeerError/Code/notConnected`` after the end.
    func advertise(_ info: [String: String], _ name: String) async throws(PeerError) {
        guard !hasLeft else { throw .sessionEnded }
        let call = presence.add(makeNumber())
        defer { presence.remove(call) }
        while !Task.isCancelled, !hasLeft {
            if isAnnounced(call) { try await announce(info, name, call) } else { _ = await call.changes.next() }
        }
    }

    /// Announces this machine as long as the call is the latest one.
    private func announce(
        _ info: [String: String],
        _ name: String,
        _ call: Presence.Announcement
    ) async throws(PeerError) {
        let advertiser = PeerAdvertiser(serviceType: configuration.local.application, backend: transport.discovery)
        let properties = DiscoveryInfo(
            peerID: configuration.announcesIdentity ? localID : nil,
            displayName: name,
            software: configuration.local.software,
            encryption: .required,
            custom: info
        )
        let (port, states) = (presence.port, states)
        do {
            try await advertiser.withAdvertisement(instanceName: name, port: port, info: properties) { events in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { for await event in events { states.report(.announcement(event)) } }
                    // This task ends the announcement when a newer call takes its place.
                    group.addTask { while await self.isAnnounced(call), await call.changes.next() != nil {} }
                    await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            if Task.isCancelled { return }
            throw error as? PeerError ?? .discoveryStopped(error)
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

    /// Measures the round trip on the connection that carries a link.
    func roundTrip(to id: PeerID, _ timeout: Duration) async throws(PeerError) -> Duration {
        guard let connection = peers[id]?.carrier.flatMap({ connections[$0]?.connection }) else { throw .notConnected }
        let time = try await within(timeout, orThrow: PeerError(.timedOut, "The other side did not answer in time.")) {
            () async throws(PeerError) in await connection.roundTrip()
        }
        guard let time else { throw .notConnected }
        return time
    }

    /// Runs `body` with a time limit.
    ///
    /// - Throws: What `body` throws; `late` when the time is over.
    nonisolated func within<Result: Sendable>(
        _ timeout: Duration,
        orThrow late: PeerError,
        by clock: (any PeerClock)? = nil,
        _ body: @escaping @Sendable () async throws(PeerError) -> Result
    ) async throws(PeerError) -> Result {
        let clock = clock ?? transport.clock
        let end = clock.now + timeout
        let result = await withTaskGroup(of: Swift.Result<Result, PeerError>?.self) { group in
            group.addTask {
                do throws(PeerError) {
                    return .success(try await body())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await clock.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            let first = await group.next() ?? nil
            // Cancelling the task wakes the timer early.
            return first ?? (Task.isCancelled ? .failure(.taskCancelled) : .failure(late))
        }
        return try result.get()
    }
}

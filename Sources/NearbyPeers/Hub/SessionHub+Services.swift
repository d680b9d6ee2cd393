import NIOCore
import PeerCore
import PeerProtocol

/// What applications ask of the hub beside meetings.
extension SessionHub {
    /// Announces this machine until the task is cancelled, or another call takes its place.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable``.
    func advertise(_ info: [String: String], _ name: String) async throws(PeerError) {
        announcement?.finish()
        let stop = ReadyQueue<Void>()
        announcement = stop
        let advertiser = PeerAdvertiser(serviceType: configuration.local.application, backend: transport.discovery)
        let properties = DiscoveryInfo(
            peerID: configuration.announcesIdentity ? localID : nil,
            displayName: name,
            software: configuration.local.software,
            encryption: .required,
            custom: info
        )
        let (port, board) = (port, board)
        do {
            try await advertiser.withAdvertisement(instanceName: name, port: port, info: properties) { events in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { for await event in events { board.report(.announcement(event)) } }
                    group.addTask { _ = await stop.next() }
                    await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            if Task.isCancelled { return }
            throw error as? PeerError ?? .discoveryStopped(error)
        }
    }

    /// Makes a link that lets in whoever has it.
    func makeLink() throws(PeerError) -> PeerLink {
        let addresses = transport.ownAddresses(port: port).compactMap { PeerAddress(parsing: $0) }
        return try PeerLink(
            for: configuration.local.application,
            addresses: Array(addresses.prefix(PeerLink.maximumAddressCount)),
            id: localID,
            token: token
        )
    }

    /// Tests the connection of a link.
    func roundTrip(to id: PeerID, _ timeout: Duration) async throws(PeerError) -> Duration {
        guard let name = peers[id]?.meeting.link?.connection, let number = peers[id]?.connections[name],
            let connection = connections[number]?.connection
        else { throw .notConnected }
        let time = try await within(timeout, orThrow: PeerError(.timedOut, "The other side did not answer in time.")) {
            () async throws(PeerError) in await connection.roundTrip()
        }
        guard let time else { throw .notConnected }
        return time
    }

    /// Does something, but not for longer than a time.
    ///
    /// - Throws: What it throws; `late` when the time is over.
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
            return first ?? (Task.isCancelled ? .failure(.taskCancelled) : .failure(late))
        }
        return try result.get()
    }
}

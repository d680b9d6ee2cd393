import NIOCore
import PeerCore
import PeerStorage

extension InMemoryTransport {
    func carry(
        _ transfer: AttachedTransfer,
        by route: AttachedTransfer.Route
    ) async throws(PeerError) -> TransferReceipt {
        try await withTaskExecutorPreference(network.serialExecutor, isolation: nil) { () async throws(PeerError) in
            let connection: InMemoryConnection
            switch route {
            case .dialing(let texts): connection = try await dial(transfer, texts)
            case .awaiting(let ready): connection = try await arrival(transfer, ready)
            }
            return try await InMemoryTransfer(transfer, on: connection).run().get()
        }
    }

    private func dial(_ transfer: AttachedTransfer, _ texts: [String]) async throws(PeerError) -> InMemoryConnection {
        var addresses: [SocketAddress] = []
        for text in texts { addresses += (try? await PeerAddress(parsing: text)?.resolve()) ?? [] }
        return try await open(
            transfer.local,
            addresses,
            ExpectedPeer(id: transfer.peer),
            transfer.configuration
        ) { listener, accepted in
            let entry = network.attachments.take(transfer.claim, at: listener.local.id, from: transfer.local.id)
            if let entry { entry.arrival.fulfil(accepted) } else { accepted.abort() }
        }
    }

    private func arrival(
        _ transfer: AttachedTransfer,
        _ ready: @Sendable () -> Void
    ) async throws(PeerError) -> InMemoryConnection {
        let arrival = Awaited<InMemoryConnection?>()
        network.attachments.expect(
            InMemoryAttachments.Entry(
                claim: transfer.claim,
                owner: transfer.local.id,
                peer: transfer.peer,
                arrival: arrival
            )
        )
        let cancelTimer = clock.schedule(at: clock.now.advanced(by: transfer.arrivalTimeout)) { [network] in
            network.attachments.forget(transfer.claim)
        }
        ready()
        let connection = await arrival.value(ifCancelled: nil)
        cancelTimer()
        network.attachments.forget(transfer.claim)
        if let connection { return connection }
        throw Task.isCancelled
            ? PeerError(.cancelled, "The transfer was stopped.")
            : PeerError(.timedOut, "The other side did not open the connection for the transfer in time.")
    }
}

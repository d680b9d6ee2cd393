import Logging
import NIOCore
import NIOPosix
import PeerProtocol
package import PeerStorage

extension NetworkTransport {
    /// Carries a resource of a session over a connection of its own.
    package func carry(
        _ transfer: AttachedTransfer,
        by route: AttachedTransfer.Route
    ) async throws(PeerError) -> TransferReceipt {
        let outcome: TransferOutcome
        switch route {
        case .dialing(let texts): outcome = try await dial(transfer, texts)
        case .awaiting(let ready): outcome = try await receive(transfer, ready)
        }
        switch outcome.result {
        case .success(let receipt): return receipt
        case .failure(let error): throw PeerError(carrying: error)
        }
    }

    private func dial(_ transfer: AttachedTransfer, _ texts: [String]) async throws(PeerError) -> TransferOutcome {
        var addresses: [SocketAddress] = []
        for text in texts {
            let resolved = try? await PeerAddress(parsing: text)?.resolve()
            for address in resolved ?? [] where !addresses.contains(address) { addresses.append(address) }
        }
        var transfer = transfer
        transfer.configuration.encryption = .required
        // The other side cannot open lanes to a side that does not listen for them.
        if case .sending = transfer.content { transfer.configuration.lanes = .never }
        let security = try TransportSecurity(identity: transfer.local.identity, application: transfer.local.application)
        let connector = PeerConnector(
            application: transfer.local.application,
            configuration: transfer.configuration,
            greeting: nil,
            logger: transfer.logger
        )
        do {
            let connection = try await connector.connect(
                to: addresses,
                security: security,
                expecting: ExpectedPeer(id: transfer.peer)
            )
            let hello = hello(transfer, as: .dialer)
            let times = Conversation.Times(transfer.configuration)
            let purpose = Conversation.Purpose.resource(transfer.claim)
            let machine = ConversationStateMachine(
                .dialer,
                purpose,
                hello: hello,
                nonce: .random(),
                times: times,
                at: .now
            )
            // Connections that this side has dialed are not counted.
            let admission = Admission(transfer.configuration, shareToken: nil, logger: transfer.logger)
            let slot = ConversationEnvironment.Slot(admission, 0)
            let arrival = ExpectedAttachments.Arrival(connection: connection, machine: machine, slot: slot)
            return await run(transfer, on: arrival, security)
        } catch let failure as ConnectFailure {
            throw failure.error
        } catch {
            throw PeerError(carrying: error)
        }
    }

    private func receive(
        _ transfer: AttachedTransfer,
        _ ready: @Sendable () -> Void
    ) async throws(PeerError) -> TransferOutcome {
        guard let secret = transfer.secret else {
            throw PeerError(.invalidArgument, "An attached transfer has a secret.")
        }
        let arrival = await attachments.arrival(
            presenting: secret,
            from: transfer.peer,
            within: transfer.arrivalTimeout,
            by: clock,
            ready: ready
        )
        guard let arrival else {
            guard !Task.isCancelled else { throw PeerError(.cancelled, "The transfer was stopped.") }
            throw PeerError(.timedOut, "The other side did not open the connection for the transfer in time.")
        }
        var transfer = transfer
        transfer.configuration.encryption = .required
        // This side cannot open lanes to a side that does not listen for them.
        if case .receiving = transfer.content {
            transfer.configuration.lanes = .never
            // The listener reads little at a time otherwise.
            SocketTuning.setReadLength(SocketTuning.readLength, on: arrival.connection.channel)
        }
        return await run(transfer, on: arrival, nil)
    }

    private func run(
        _ transfer: AttachedTransfer,
        on arrival: ExpectedAttachments.Arrival,
        _ security: TransportSecurity?
    ) async -> TransferOutcome {
        let configuration = transfer.configuration
        let connection = arrival.connection
        let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void = { _, event in
            switch event {
            case .transfer(.transferring(let progress)):
                let (rate, timeLeft) = (progress.bytesPerSecond, progress.timeLeft)
                transfer.report(.transferring(bytes: progress.bytes, bytesPerSecond: rate, timeLeft: timeLeft))
            case .transfer(.committing): transfer.report(.committing)
            default: break
            }
        }
        let conversation = ConversationDriver(
            arrival.machine,
            on: TransferConnection(connection, configuration),
            // The peer was admitted for the link. Here only its id and the secret count, so no trust store is asked.
            environment: ConversationEnvironment(offEventLoop: EmptyTrustStore(), slot: arrival.slot),
            logger: transfer.logger
        )
        let lifecycle = TransferLifecycle(configuration: configuration, connection: connection, logger: transfer.logger)
        // The listener has begun to read the connection already.
        let reads = arrival.machine.isOpening
        let interval = configuration.tickInterval
        defer { arrival.receiver.fulfil(nil) }
        switch transfer.content {
        case .sending(let source):
            let context = SendContext(
                source: source,
                slot: arrival.slot,
                pool: .singleton,
                decide: { _ in .accept },
                report: report
            )
            let driver = SendDriver(conversation: conversation, lifecycle: lifecycle, context: context)
            if !reads { driver.jobs.add { await driver.acceptClaim() } }
            arrival.receiver.fulfil(driver)
            await driver.run(on: connection, reading: reads, tickInterval: interval, cancellations: transfer.control)
            return await driver.outcome
        case .receiving(let sink, _, _):
            let context = ReceiveContext(
                sink: sink,
                invitation: InvitationRequest(timeout: 1),
                pool: .singleton,
                openLane: PeerConnector.openingLanes(
                    transfer.local.application,
                    configuration,
                    security,
                    transfer.logger
                ),
                showsEstimate: { _ in false },
                decide: { .accept(try transfer.content.answer(to: $0.manifest)) },
                report: report
            )
            let driver = ReceiveDriver(conversation: conversation, lifecycle: lifecycle, context: context)
            if !reads { driver.jobs.add { await driver.acceptClaim() } }
            arrival.receiver.fulfil(driver)
            await driver.run(on: connection, reading: reads, tickInterval: interval, cancellations: transfer.control)
            await driver.abandonUnlessCommitted()
            return await driver.outcome
        }
    }

    /// This side's hello; its role says which side dialed, not which side sends the resource.
    private func hello(_ transfer: AttachedTransfer, as role: Conversation.Side) -> Hello {
        var hello = transfer.local.hello(transfer.configuration, as: role)
        hello.features.append(Hello.sessionsFeature)
        hello.incarnation = transfer.incarnation
        return hello
    }
}

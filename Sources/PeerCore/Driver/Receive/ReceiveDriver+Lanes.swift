import Logging
import NIOCore

/// Receives resources over several connections.
extension ReceiveDriver {
    /// Processes one piece at a time over all connections.
    func inTurn(_ body: () async -> Void) async {
        if !turns.take() { await withCheckedContinuation { turns.wait($0) } }
        lifecycle.isBusy = true
        await body()
        lifecycle.isBusy = false
        turns.pass()
    }

    func receivedLanes(_ invitation: LaneInvitation) {
        guard lifecycle.configuration.lanes != .never else { return perform(machine.receivedOther(.lanes)) }
        switch machine.receivedLanes(invitation) {
        case .openLanes(let invitation):
            for lane in lanes.invited(invitation.count) {
                jobs.add { await self.run(lane, invitation.secret) }
            }
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Opens a lane and processes its pieces until the sender closes it.
    private func run(_ lane: Int, _ secret: ConnectionSecret) async {
        do {
            let main = lifecycle.connection
            guard let address = main.channel.remoteAddress else { throw ChannelError.ioOnClosedChannel }
            let id = conversation.state.certifiedID
            let connection = try await context.openLane(address, id, main.usesSmallSegments)
            laneConnections[lane] = connection
            lifecycle.logger.debug("lane opened", metadata: ["lane": "\(lane)"])
            connection.activity.frames.begin(lifecycle.logger)
            // Each of up to seven lanes keeps its buffer, so these are shorter than that of the main connection.
            SocketTuning.setReadLength(SocketTuning.shortReadLength * 8, on: connection.channel)
            try await connection.asyncChannel.executeThenClose { inbound in
                // The transfer may have ended while the lane was being opened.
                guard machine.end == nil else { return }
                for try await piece in inbound {
                    await inTurn { await received(piece, over: connection, lane, secret) }
                }
            }
        } catch {
            lifecycle.logger.debug("a lane was lost", metadata: ["error": "\(error)"])
        }
        laneConnections.removeValue(forKey: lane)?.close()
        lifecycle.logger.debug("lane closed", metadata: ["lane": "\(lane)"])
        await inTurn {
            lanes.ended(lane)
            if case .forget(let position) = machine.laneEnded(lane) { reception.arrivals[position]?.forget(lane) }
            await askForLost()
        }
    }

    private func received(
        _ piece: InboundPiece,
        over connection: FrameConnection,
        _ lane: Int,
        _ secret: ConnectionSecret
    ) async {
        guard machine.end == nil else { return connection.close() }
        switch piece {
        case .opened(let security):
            // A lane must prove the same key as the main connection.
            guard security.certifiedID == conversation.state.certifiedID else { return connection.close() }
            connection.send(.preface)
            connection.send(.frame(.join(LaneJoin(secret: secret))))
        case .frame(.hello):
            // Every listener sends it; the certificate has already proved the peer's id.
            break
        case .dataHeader(let header):
            receivedData(header, on: lane)
        case .data(let buffers):
            await keep(buffers, on: lane)
        case .frame, .encryptionMismatch, .invalid:
            // The sender does not know this connection, or it is another peer.
            connection.close()
        }
    }

    func receivedAllDispatched(_ allDispatched: AllDispatched) async {
        switch machine.receivedAllDispatched(allDispatched) {
        case .awaitEndOfLanes(let position):
            lanes.receivedAllDispatched(position, at: .now)
            noteProgress()
            await askForLost()
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Requests again what was lost with a lane, when all lanes have ended.
    private func askForLost() async {
        guard machine.end == nil, let position = lanes.takeEnded() else { return }
        guard case .sendRequest(let request) = machine.lanesEnded(position) else { return }
        lifecycle.logger.debug("a lane was lost", metadata: ["runs": "\(request.runs.count)"])
        reception.arrivals[position]?.forget(ConnectionNumber.main)
        lifecycle.send(.request(request))
        noteProgress()
    }

    /// Closes lanes on which no bytes arrive although everything was sent.
    func watchLanes(at now: ContinuousClock.Instant) {
        guard !lifecycle.isBusy else { return }
        for connection in laneConnections.values
        where lanes.isSilent(lastReceipt: connection.activity.last, at: now) {
            connection.close()
        }
    }

    /// Closes all lanes at once because the transfer has ended.
    func abandonLanes() {
        for connection in laneConnections.values { connection.abort() }
    }
}

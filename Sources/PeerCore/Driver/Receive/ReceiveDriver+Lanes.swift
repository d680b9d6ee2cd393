import Logging
import NIOCore

/// Receives resources over several connections.
extension ReceiveDriver {
    /// Processes one input at a time over all connections.
    func inTurn(_ body: () async -> Void) async {
        if !turns.take() { await withCheckedContinuation { turns.wait($0) } }
        lifecycle.isBusy = true
        await body()
        lifecycle.isBusy = false
        turns.pass()
    }

    func receivedLanes(_ invitation: LaneInvitation) async {
        guard lifecycle.configuration.lanes != .never else { return perform(machine.receivedOther(.lanes)) }
        await perform(machine.receivedLanes(invitation))
    }

    func openLanes(_ invitation: LaneInvitation) {
        for lane in lanes.invited(invitation.count) { jobs.add { await self.run(lane, invitation.secret) } }
    }

    /// Opens a lane and processes its inputs until the sender closes it.
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
                for try await input in inbound {
                    await inTurn { await received(input, over: connection, lane, secret) }
                }
            }
        } catch {
            lifecycle.logger.debug("a lane was lost", metadata: ["error": "\(error)"])
        }
        laneConnections.removeValue(forKey: lane)?.close()
        lifecycle.logger.debug("lane closed", metadata: ["lane": "\(lane)"])
        await inTurn {
            lanes.ended(lane)
            machine.laneEnded(lane)
            askForLost()
        }
    }

    private func received(
        _ input: Inbound,
        over connection: FrameConnection,
        _ lane: Int,
        _ secret: ConnectionSecret
    ) async {
        guard machine.end == nil else { return connection.close() }
        switch input {
        case .opened(let security):
            // A lane must prove the same key as the main connection.
            guard security.certifiedID == conversation.state.certifiedID else { return connection.close() }
            connection.send(.preface)
            connection.send(.frame(.join(LaneJoin(secret: secret))))
        case .frame(.hello):
            // Every listener sends it; the certificate has already proved the peer's id.
            break
        case .dataHeader(let header):
            await receivedData(header, on: lane)
        case .data(let buffers):
            await receivedBytes(buffers, on: lane)
        case .frame, .encryptionMismatch, .invalid:
            // The sender does not know this connection, or it is another peer.
            connection.close()
        }
    }

    func awaitEndOfLanes(_ position: Int) {
        lanes.receivedAllDispatched(position, at: .now)
        noteProgress()
        askForLost()
    }

    /// Requests again what was lost with a lane, when all lanes have ended.
    private func askForLost() {
        guard machine.end == nil, let position = lanes.takeEnded(),
            case .sendRequest(let request) = machine.lanesEnded(position)
        else { return }
        lifecycle.logger.debug("a lane was lost", metadata: ["runs": "\(request.runs.count)"])
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

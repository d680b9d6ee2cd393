import Logging
import NIOCore

/// The lanes of a session, as its receiver sees them.
struct ReceiverLanes {
    /// The number that the last one was given.
    var lastNumber = SessionConnection.main
    /// Those that have not ended, with their connections where there is one.
    var open: [Int: FrameConnection?] = [:]
    /// The resource that was handed out, until it is known what of it was lost.
    var allDispatched: Int?
    /// When it was.
    var handedOutAt = ContinuousClock.now
    /// Whether a part of some connection is being worked on, and who waits for that.
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
}

/// Taking resources over several connections.
extension ReceiveDriver {
    /// Works on one part at a time, whichever connection it came on.
    func inTurn(_ body: () async -> Void) async {
        if lanes.isBusy {
            await withCheckedContinuation { lanes.waiting.append($0) }
        } else {
            lanes.isBusy = true
        }
        lifecycle.isBusy = true
        await body()
        lifecycle.isBusy = false
        if lanes.waiting.isEmpty { lanes.isBusy = false } else { lanes.waiting.removeFirst().resume() }
    }

    func receivedLanes(_ invitation: LaneInvitation) {
        guard lifecycle.configuration.lanes != .never else { return perform(machine.receivedOther(.lanes)) }
        switch machine.receivedLanes(invitation) {
        case .openLanes(let invitation):
            // Those that the sender has closed may not have ended here; what is too much is left out.
            let room = max(0, lifecycle.configuration.limits.maximumLaneCount - lanes.open.count)
            for _ in 0..<min(invitation.count, room) {
                lanes.lastNumber += 1
                let lane = lanes.lastNumber
                lanes.open[lane] = .some(nil)
                jobsIn.yield { await self.run(lane, invitation.secret) }
            }
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Opens a lane and takes what comes over it until the sender closes it.
    private func run(_ lane: Int, _ secret: LaneSecret) async {
        do {
            guard let address = lifecycle.connection.channel.remoteAddress else { throw ChannelError.ioOnClosedChannel }
            let connection = try await openLane(address, lifecycle.security?.certifiedID)
            lanes.open[lane] = connection
            lifecycle.logger.debug("lane opened", metadata: ["lane": "\(lane)"])
            connection.activity.frames.begin(lifecycle.logger)
            SocketTuning.setReadLength(SocketTuning.shortReadLength * 8, on: connection.channel)
            try await connection.asyncChannel.executeThenClose { inbound in
                guard machine.end == nil else { return }
                for try await part in inbound {
                    await inTurn { await received(part, over: connection, lane, secret) }
                }
            }
        } catch {
            lifecycle.logger.debug("a lane was lost", metadata: ["error": "\(error)"])
        }
        (lanes.open[lane] ?? nil)?.close()
        lifecycle.logger.debug("lane closed", metadata: ["lane": "\(lane)"])
        await inTurn {
            lanes.open[lane] = nil
            if case .forget(let position) = machine.laneEnded(lane) { arrivals[position]?.forget(lane) }
            await askForLost()
        }
    }

    private func received(
        _ part: InboundPart,
        over connection: FrameConnection,
        _ lane: Int,
        _ secret: LaneSecret
    ) async {
        guard machine.end == nil else { return connection.close() }
        switch part {
        case .opened(let security):
            guard security == lifecycle.security else { return connection.close() }
            connection.send(.preface)
            connection.send(.frame(.join(LaneJoin(secret: secret))))
        case .frame(.hello):
            // Every listener says it; who it is, its certificate has shown.
            break
        case .dataHeader(let header):
            receivedData(header, on: lane)
        case .data(let buffers):
            await keep(buffers, on: lane)
        case .frame, .encryptionMismatch, .invalid:
            // The sender does not know this connection, or it is somebody else.
            connection.close()
        }
    }

    func receivedAllDispatched(_ allDispatched: AllDispatched) async {
        switch machine.receivedAllDispatched(allDispatched) {
        case .awaitEndOfLanes(let position):
            lanes.allDispatched = position
            lanes.handedOutAt = .now
            noteProgress()
            await askForLost()
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Asks again for what was lost with a lane, once nothing can come any more.
    private func askForLost() async {
        guard machine.end == nil, lanes.open.isEmpty, let position = lanes.allDispatched else { return }
        lanes.allDispatched = nil
        guard case .sendRequest(let request) = machine.lanesEnded(position) else { return }
        lifecycle.logger.debug("a lane was lost", metadata: ["runs": "\(request.runs.count)"])
        arrivals[position]?.forget(SessionConnection.main)
        lifecycle.send(.request(request))
        noteProgress()
    }

    /// Gives up lanes on which nothing comes although all was handed out.
    func watchLanes(at now: ContinuousClock.Instant) {
        guard lanes.allDispatched != nil else { return }
        let silence = lifecycle.configuration.silenceTimeout
        for case let connection? in lanes.open.values {
            let last = max(connection.activity.last ?? lanes.handedOutAt, lanes.handedOutAt)
            if now - last >= silence, !lifecycle.isBusy { connection.close() }
        }
    }

    /// Closes all lanes at once, for the session has ended.
    func abandonLanes() {
        for case let connection? in lanes.open.values { connection.abort() }
    }
}

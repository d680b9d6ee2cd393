import Logging
import NIOCore

/// The lanes of a session, as its receiver sees them.
struct ReceiverLanes {
    /// The number that the last one was given.
    var lastNumber = SessionConnection.main
    /// Those that have not ended, with their connections where there is one.
    var open: [Int: FrameConnection?] = [:]
    /// The resource that was handed out, until it is known what of it was lost.
    var handedOut: Int?
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
        core.isBusy = true
        await body()
        core.isBusy = false
        if lanes.waiting.isEmpty { lanes.isBusy = false } else { lanes.waiting.removeFirst().resume() }
    }

    func receivedLanes(_ invitation: LaneInvitation) {
        guard core.configuration.lanes != .never else { return perform(machine.receivedOther(.lanes)) }
        switch machine.receivedLanes(invitation) {
        case .openLanes(let invitation):
            for position in arrivals.keys { arrivals[position]?.spread() }
            // Those that the sender has closed may not have ended here; what is too much is left out.
            let room = max(0, core.configuration.limits.maximumLaneCount - lanes.open.count)
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
            guard let address = core.connection.channel.remoteAddress else { throw ChannelError.ioOnClosedChannel }
            let connection = try await openLane(address, core.security?.certifiedID)
            lanes.open[lane] = connection
            core.logger.debug("lane opened", metadata: ["lane": "\(lane)"])
            connection.activity.frames.begin(core.logger)
            SocketTuning.setReadLength(SocketTuning.shortReadLength * 8, on: connection.channel)
            try await connection.asyncChannel.executeThenClose { inbound in
                guard machine.end == nil else { return }
                for try await part in inbound {
                    await inTurn { await received(part, over: connection, lane, secret) }
                }
            }
        } catch {
            core.logger.debug("a lane was lost", metadata: ["error": "\(error)"])
        }
        (lanes.open[lane] ?? nil)?.close()
        core.logger.debug("lane closed", metadata: ["lane": "\(lane)"])
        await inTurn {
            lanes.open[lane] = nil
            arriving[lane] = nil
            for position in arrivals.keys { arrivals[position]?.forget(lane) }
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
            guard security == core.security else { return connection.close() }
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

    func receivedHandedOut(_ handOut: HandOut) async {
        switch machine.receivedHandedOut(handOut) {
        case .awaitEndOfLanes(let position):
            lanes.handedOut = position
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
        guard machine.end == nil, lanes.open.isEmpty, let position = lanes.handedOut else { return }
        lanes.handedOut = nil
        guard let missing = arrivals[position]?.missingChunks else { return }
        guard case .sendRequest(let request) = machine.lanesEnded(position, missing: missing) else { return }
        core.logger.debug("a lane was lost", metadata: ["chunks": "\(missing.chunkCount)"])
        arrivals[position]?.expect(request)
        core.send(.request(request))
        noteProgress()
    }

    /// Gives up lanes on which nothing comes although all was handed out.
    func watchLanes(at now: ContinuousClock.Instant) {
        guard lanes.handedOut != nil else { return }
        let silence = core.configuration.silenceTimeout
        for case let connection? in lanes.open.values {
            let last = max(connection.activity.last ?? lanes.handedOutAt, lanes.handedOutAt)
            if now - last >= silence, !core.isBusy { connection.close() }
        }
    }

    /// Closes all lanes at once, for the session has ended.
    func abandonLanes() {
        for case let connection? in lanes.open.values { connection.abort() }
    }
}

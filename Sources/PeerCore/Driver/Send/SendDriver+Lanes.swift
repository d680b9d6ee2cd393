import Logging
import NIOCore
import NIOPosix

/// Answers one request over several connections.
extension SendDriver {
    /// Sends chunks over the main connection and over as many lanes as increase the rate; false if the transfer has ended.
    func send(
        _ runs: ChunkRuns,
        of position: Int,
        from content: ReadableContent,
        by writer: BulkWriter
    ) async throws -> Bool {
        let layout = manifest.entries[position].layout
        laneConnections.beginRequest()
        inviteLanes(lanes.begin(runs, of: position, layout))
        defer { lanes.end() }
        turn.turn?.set(isReady: true)
        defer { turn.turn?.set(isReady: false) }
        guard try await sendShare(of: position, from: content, by: writer, lane: nil) else { return false }
        guard lanes.isStriped else { return true }
        // No lane joins from now on, so those that are open are all that must end.
        context.slot.admission.closeLanes(of: context.slot.number)
        // Lanes that joined before must end first; what they have sent counts.
        while !laneConnections.open.isEmpty {
            await withCheckedContinuation { laneConnections.resumeWhenClosed($0) }
        }
        return try await settle(position, from: content, by: writer)
    }

    /// Tells the receiver that everything was sent, and sends again what was lost with a lane.
    private func settle(_ position: Int, from content: ReadableContent, by writer: BulkWriter) async throws -> Bool {
        guard case .sendAllDispatched(let allDispatched) = machine.chunksDispatched(position) else { return false }
        let answers = laneConnections.awaitAnswers()
        defer { laneConnections.endAnswers() }
        lifecycle.send(.allDispatched(allDispatched))
        turn.turn?.set(isReady: false)
        lifecycle.progressed(isBulk: false)
        // The confirmation may have arrived before this side waited for an answer.
        guard !lanes.isConfirmed(position) else { return true }
        for await answer in answers {
            guard case .lost(let runs) = answer else { return machine.end == nil }
            let layout = manifest.entries[position].layout
            let bytes = runs.byteCount(in: layout)
            lifecycle.logger.debug("a lane was lost", metadata: ["bytes": "\(bytes)"])
            progress.meter.lost(position, bytes: bytes)
            var cursor = ChunkCursor(runs: runs, layout: layout)
            turn.turn?.set(isReady: true)
            return try await writer.send(
                position,
                from: content,
                next: { cursor.takeBytes(atMost: $0) },
                sent: { sent($0, of: position) }
            )
        }
        return false
    }

    /// Takes pieces of the request and sends them until none are left or the lane is retired.
    private func sendShare(
        of position: Int,
        from content: ReadableContent,
        by writer: BulkWriter,
        lane: Int?
    ) async throws -> Bool {
        var share: Range<UInt64> = 0..<0
        return try await writer.send(
            position,
            from: content,
            next: { lanes.takeBytes(of: &share, of: position, atMost: $0, lane: lane) },
            sent: { sent($0, of: position) }
        )
    }

    // MARK: Opening and closing

    private func inviteLanes(_ count: Int) {
        guard count > 0, lanes.position != nil,
            case .sendLanes(let invitation) = machine.lanesWanted(count, secret: laneConnections.secret)
        else { return }
        lanes.invited()
        lifecycle.logger.debug("lanes requested", metadata: ["count": "\(count)"])
        let id = conversation.state.certifiedID
        let slot = context.slot
        slot.admission.expectLanes(count, for: slot.number, secret: laneConnections.secret, peer: id) {
            [weak self, request = lanes.requestNumber] lane, connection in
            // A job, for this is called on the event loop of the lane.
            guard let self else { return false }
            return jobs.add { await self.serve(lane, on: connection, for: request) }
        }
        lifecycle.send(.lanes(invitation))
    }

    /// Sends over a lane whose peer has presented the secret of this transfer, or closes it if it is not needed.
    private func serve(_ lane: Int, on connection: FrameConnection, for request: Int) async {
        guard machine.end == nil, lanes.joined(lane, for: request) else { return connection.close() }
        laneConnections.open[lane] = connection
        lifecycle.logger.debug("lane opened", metadata: ["lane": "\(lane)"])
        defer { laneEnded(lane) }
        guard let position = lanes.position, let shared = content else { return }
        let writer = BulkWriter(
            connection: connection,
            limits: lifecycle.configuration.limits,
            isEncrypted: conversation.state.certifiedID != nil,
            executor: executor,
            turn: turn.turn
        )
        do {
            // A separate handle: two event loops cannot send from one handle at once.
            let content = try shared.duplicated()
            _ = try await sendShare(of: position, from: content, by: writer, lane: lane)
        } catch let error as BulkWriter.SourceFailure {
            fail(error.cause)
        } catch {
            lifecycle.logger.debug("a lane was lost", metadata: ["error": "\(error)"])
        }
    }

    private func laneEnded(_ lane: Int) {
        lanes.ended(lane)
        laneConnections.ended(lane)
        lifecycle.logger.debug("lane closed", metadata: ["lane": "\(lane)"])
    }

    /// Closes all lanes at once because the transfer has ended.
    func abandonLanes() {
        context.slot.admission.closeLanes(of: context.slot.number)
        laneConnections.abandon()
    }

    /// Samples the connections and closes lanes that have stalled.
    func watchLanes(at now: ContinuousClock.Instant) async {
        guard machine.end == nil else { return }
        laneConnections.close(lanes.silentLanes(at: now))
        // What is sent while others are served says nothing of the connections.
        guard !turn.isWaiting else { return lanes.paused(at: now) }
        guard lanes.wantsSamples, !laneConnections.isMeasuring else { return }
        // The statistics are waited for, and a tick that comes meanwhile must not count the same bytes again.
        laneConnections.isMeasuring = true
        defer { laneConnections.isMeasuring = false }
        guard let main = await SocketTuning.statistics(of: lifecycle.connection.channel) else { return }
        lanes.counted(main, on: ResourceAssembly.mainConnection)
        for (lane, connection) in laneConnections.open {
            guard let statistics = await SocketTuning.statistics(of: connection.channel) else { continue }
            lanes.counted(statistics, on: lane)
        }
        guard machine.end == nil, let (sample, action) = lanes.sampled(main, at: now) else { return }
        lifecycle.logger.trace(
            "connections",
            metadata: [
                "lanes": "\(sample.laneCount)", "acknowledged": "\(sample.acknowledged)",
                "retransmitted": "\(sample.retransmitted)", "roundTrip": "\(sample.roundTrip)",
                "shortestRoundTrip": "\(sample.shortestRoundTrip)",
            ]
        )
        await perform(action, at: now)
    }

    private func perform(_ action: LanePolicy.Action, at now: ContinuousClock.Instant) async {
        switch action {
        case .none: break
        case .changeControl:
            let previous = await SocketTuning.setCongestionControl(.bbr, on: lifecycle.connection.channel)
            laneConnections.previousControl = previous
            lifecycle.logger.debug("trying bbr", metadata: ["allowed": "\(previous != nil)"])
            if previous == nil { await perform(lanes.controlRefused(at: now), at: now) }
        case .restoreControl:
            guard let previous = laneConnections.previousControl else { break }
            lifecycle.logger.debug("bbr does not help")
            _ = await SocketTuning.setCongestionControl(previous, on: lifecycle.connection.channel)
        case .invite(let count): inviteLanes(count)
        case .retire(let count): lifecycle.logger.debug("lanes do not help", metadata: ["count": "\(count)"])
        }
    }
}

/// Handles a connection that is a lane of another transfer.
extension SendDriver {
    /// Gives the connection to the transfer that expects it.
    func join(_ secret: ConnectionSecret) {
        let (admission, number) = (context.slot.admission, context.slot.number)
        guard let take = admission.joined(number, secret: secret, peer: conversation.state.certifiedID) else {
            let error = ProtocolError(.unexpectedFrame, "No transfer expects this connection.")
            return perform(machine.receivedInvalid(error))
        }
        isLane = true
        if !take(number, lifecycle.connection) { lifecycle.connection.close() }
    }
}

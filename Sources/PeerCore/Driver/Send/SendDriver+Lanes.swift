import Logging
import NIOCore
import NIOPosix

/// The chunks of one request that no connection has taken yet.
struct ChunkQueue {
    let position: Int
    let layout: ChunkLayout
    var cursor: ChunkCursor
    /// Whether lanes were asked for, or took a part.
    var isStriped = false
}

/// The lanes of a session, as its sender sees them.
struct SenderLanes {
    let secret: LaneSecret
    var policy: LanePolicy
    /// The lanes that have joined, by the numbers under which they were admitted.
    var open: [Int: FrameConnection] = [:]
    /// Those of them that take no more work.
    var retiring: Set<Int> = []
    /// What was counted on each connection so far, and on all of them together.
    var counted: [Int: LinkStatistics] = [:]
    var acknowledged: UInt64 = 0
    var retransmitted: UInt64 = 0
    /// When bytes were last given to any connection.
    var lastSent = ContinuousClock.now
    /// What answered losses before it was changed.
    var controlBefore: CongestionControl?
    /// Told when no lane is left.
    var waiter: CheckedContinuation<Void, Never>?
    var isMeasuring = false

    init(_ configuration: SessionConfiguration) {
        var random = SystemRandomNumberGenerator()
        self.secret = LaneSecret(using: &random)
        self.policy = LanePolicy(maximumLaneCount: configuration.limits.maximumLaneCount)
    }

    /// Adds what a connection counted since it was last asked.
    mutating func count(_ now: LinkStatistics, of connection: Int) {
        let before = counted[connection]
        acknowledged += now.acknowledged - min(now.acknowledged, before?.acknowledged ?? now.acknowledged)
        retransmitted += now.retransmitted - min(now.retransmitted, before?.retransmitted ?? 0)
        counted[connection] = now
    }
}

/// What a receiver says of a resource that was handed out to several connections.
enum DispatchAnswer: Sendable {
    case confirmed
    /// A lane has lost these.
    case lost(ChunkRuns)
}

/// Answering one request over several connections.
extension SendDriver {
    /// Sends chunks over the main connection, and over as many lanes as help.
    ///
    /// - Returns: Whether everything was sent, and the session goes on.
    /// - Throws: As ``BulkWriter/send(_:from:next:sent:)``.
    func send(
        _ runs: ChunkRuns,
        of position: Int,
        from content: ReadableContent,
        by writer: BulkWriter
    ) async throws -> Bool {
        let layout = source.manifest.entries[position].layout
        work = ChunkQueue(position: position, layout: layout, cursor: ChunkCursor(runs: runs, layout: layout))
        beginLanes()
        defer { work = nil }
        guard try await sendShare(of: position, from: content, by: writer, lane: nil) else { return false }
        guard work?.isStriped == true else { return true }
        admission.closeLanes(of: session)
        // Whoever joined before that has to end first; what it has sent counts.
        while !lanes.open.isEmpty {
            await withCheckedContinuation { lanes.waiter = $0 }
        }
        lanes.retiring = []
        return try await settle(position, from: content, by: writer)
    }

    /// Tells the receiver that everything is on its way, and sends once more what a lane has lost.
    private func settle(
        _ position: Int,
        from content: ReadableContent,
        by writer: BulkWriter
    ) async throws -> Bool {
        guard case .sendAllDispatched(let allDispatched) = machine.chunksDispatched(position) else { return false }
        let (answers, answersIn) = AsyncStream.makeStream(of: DispatchAnswer.self)
        dispatchAnswers = answersIn
        defer { dispatchAnswers = nil }
        lifecycle.send(.allDispatched(allDispatched))
        lifecycle.progressed(isBulk: false)
        guard !confirmedPositions.contains(position) else { return true }
        for await answer in answers {
            guard case .lost(let runs) = answer else { return machine.end == nil }
            let layout = source.manifest.entries[position].layout
            let bytes = runs.byteCount(in: layout)
            lifecycle.logger.debug("a lane was lost", metadata: ["bytes": "\(bytes)"])
            meter.lost(position, bytes: bytes)
            var cursor = ChunkCursor(runs: runs, layout: layout)
            return try await writer.send(
                position,
                from: content,
                next: { cursor.takePiece(atMost: $0) },
                sent: { sent($0, of: position) }
            )
        }
        return false
    }

    /// Takes from the shared work and sends it, until nothing is left of it or the lane is to end.
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
            next: { takePiece(of: &share, of: position, atMost: $0, lane: lane) },
            sent: { sent($0, of: position) }
        )
    }

    private func takePiece(
        of share: inout Range<UInt64>,
        of position: Int,
        atMost maximum: Int,
        lane: Int?
    ) -> Range<UInt64>? {
        if share.isEmpty {
            if let lane, lanes.retiring.contains(lane) { return nil }
            guard let layout = work?.layout, work?.position == position,
                let chunks = work?.cursor.takeChunks(atMost: maximum, layout: layout)
            else { return nil }
            share = layout.byteRange(of: chunks)
        }
        let end = min(share.upperBound, share.lowerBound + UInt64(max(1, maximum)))
        let piece = share.lowerBound..<end
        share = end..<share.upperBound
        return piece
    }

    // MARK: Opening and closing

    private var mayUseLanes: Bool { isLaneCapable && lifecycle.configuration.lanes != .never }

    private func beginLanes() {
        guard mayUseLanes, let work, work.cursor.remaining > work.layout.chunkLength else { return }
        switch lifecycle.configuration.lanes {
        case .never: break
        case .whenTheyHelp:
            if case .invite(let count) = lanes.policy.began(bytes: work.cursor.remaining) { inviteLanes(count) }
        case .always(let count):
            inviteLanes(min(count, lifecycle.configuration.limits.maximumLaneCount))
        }
    }

    private func inviteLanes(_ count: Int) {
        guard work != nil, case .sendLanes(let invitation) = machine.lanesWanted(count, secret: lanes.secret) else {
            return
        }
        work?.isStriped = true
        lifecycle.logger.debug("lanes requested", metadata: ["count": "\(count)"])
        let encrypted = lifecycle.security?.certifiedID
        admission.expectLanes(count, for: session, secret: lanes.secret, peer: encrypted) { [weak self] in
            await self?.joined($0, $1) ?? false
        }
        lifecycle.send(.lanes(invitation))
    }

    /// Takes a connection whose peer has shown that it belongs to this session.
    private func joined(_ lane: Int, _ connection: FrameConnection) -> Bool {
        guard machine.end == nil, work?.isStriped == true, work?.cursor.isAtEnd == false else { return false }
        // A job that comes after the end of the session never begins, so its lane would never be closed.
        guard case .enqueued = jobsIn.yield({ await self.serve(lane, on: connection) }) else { return false }
        lanes.open[lane] = connection
        lifecycle.logger.debug("lane opened", metadata: ["lane": "\(lane)"])
        return true
    }

    private func serve(_ lane: Int, on connection: FrameConnection) async {
        defer { laneEnded(lane) }
        guard let position = work?.position, let shared = content else { return }
        let writer = BulkWriter(
            connection: connection,
            limits: lifecycle.configuration.limits,
            isEncrypted: lifecycle.security?.certifiedID != nil,
            executor: executor
        )
        do {
            // Of its own: two event loops cannot send from one handle at once.
            let content = try shared.duplicated()
            _ = try await sendShare(of: position, from: content, by: writer, lane: lane)
        } catch let error as BulkWriter.SourceFailure {
            fail(error.cause)
        } catch {
            lifecycle.logger.debug("a lane was lost", metadata: ["error": "\(error)"])
        }
    }

    private func laneEnded(_ lane: Int) {
        lanes.open.removeValue(forKey: lane)?.close()
        lifecycle.logger.debug("lane closed", metadata: ["lane": "\(lane)"])
        lanes.retiring.remove(lane)
        lanes.counted[lane] = nil
        guard lanes.open.isEmpty else { return }
        lanes.waiter?.resume()
        lanes.waiter = nil
    }

    /// Closes all lanes at once, for the session has ended.
    func abandonLanes() {
        admission.closeLanes(of: session)
        for connection in lanes.open.values { connection.abort() }
        dispatchAnswers?.finish()
    }

    private func retire(_ count: Int) {
        let newest = lanes.open.keys.filter { !lanes.retiring.contains($0) }.sorted().suffix(count)
        lanes.retiring.formUnion(newest)
    }

    /// Looks at how the connections fare, and at lanes that stand still.
    func watchLanes(at now: ContinuousClock.Instant) async {
        guard machine.end == nil, let work else { return }
        if work.cursor.isAtEnd, !lanes.open.isEmpty, now - lanes.lastSent >= lifecycle.configuration.silenceTimeout {
            for connection in lanes.open.values { connection.close() }
        }
        guard case .whenTheyHelp = lifecycle.configuration.lanes, mayUseLanes, !lanes.isMeasuring else { return }
        lanes.isMeasuring = true
        defer { lanes.isMeasuring = false }
        guard let main = await SocketTuning.statistics(of: lifecycle.connection.channel) else { return }
        lanes.count(main, of: SessionConnection.main)
        for (lane, connection) in lanes.open {
            guard let statistics = await SocketTuning.statistics(of: connection.channel) else { continue }
            if lanes.open[lane] != nil { lanes.count(statistics, of: lane) }
        }
        guard machine.end == nil, let left = self.work?.cursor.remaining, left > 0 else { return }
        let sample = LanePolicy.Sample(
            time: now,
            acknowledged: lanes.acknowledged,
            retransmitted: lanes.retransmitted,
            roundTrip: main.roundTrip,
            shortestRoundTrip: main.shortestRoundTrip,
            bytesLeft: left,
            laneCount: lanes.open.count - lanes.retiring.count
        )
        lifecycle.logger.trace(
            "connections",
            metadata: [
                "lanes": "\(sample.laneCount)", "acknowledged": "\(sample.acknowledged)",
                "retransmitted": "\(sample.retransmitted)", "roundTrip": "\(sample.roundTrip)",
                "shortestRoundTrip": "\(sample.shortestRoundTrip)",
            ]
        )
        await perform(lanes.policy.sampled(sample), at: now)
    }

    private func perform(_ action: LanePolicy.Action, at now: ContinuousClock.Instant) async {
        switch action {
        case .none:
            break
        case .changeControl:
            lanes.controlBefore = await SocketTuning.setCongestionControl(.bbr, on: lifecycle.connection.channel)
            lifecycle.logger.debug("trying bbr", metadata: ["allowed": "\(lanes.controlBefore != nil)"])
            if lanes.controlBefore == nil { await perform(lanes.policy.controlRefused(at: now), at: now) }
        case .restoreControl:
            guard let before = lanes.controlBefore else { break }
            lifecycle.logger.debug("bbr does not help")
            _ = await SocketTuning.setCongestionControl(before, on: lifecycle.connection.channel)
        case .invite(let count):
            inviteLanes(count)
        case .close(let count):
            lifecycle.logger.debug("lanes do not help", metadata: ["count": "\(count)"])
            retire(count)
        }
    }
}

/// A connection that turns out to be a lane of another session.
extension SendDriver {
    /// Gives the connection to the session that expects it.
    func join(_ secret: LaneSecret) async {
        guard let security = lifecycle.security,
            let take = admission.joined(session, secret: secret, peer: security.certifiedID)
        else {
            return perform(
                machine.receivedInvalid(ProtocolError(.unexpectedFrame, "No session expects this connection."))
            )
        }
        isLane = true
        if await !take(session, lifecycle.connection) { lifecycle.connection.close() }
    }
}

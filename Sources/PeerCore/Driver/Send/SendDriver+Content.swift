import NIOCore
import NIOPosix

/// Answers requests one after the other.
extension SendDriver {
    func receivedRequest(_ request: ChunkRequest) {
        switch machine.receivedRequest(request) {
        // A second request for the same resource names the chunks that were lost with a lane.
        case .sendChunks(let position, let runs) where lanes.position == position:
            laneConnections.received(.lost(runs))
            noteProgress()
        case .sendChunks(let position, let runs):
            let entry = manifest.entries[position]
            let awaited = runs.byteCount(in: entry.layout) + responses.requestedBytes(of: position)
            let present = entry.size - min(entry.size, awaited)
            let before = responses.passedBytes(of: position)
            progress.meter.lost(position, bytes: before - min(before, present))
            progress.meter.found(position, bytes: present - min(before, present))
            add(.chunks(position, runs))
        case .end(let end): finish(end)
        default: break
        }
    }

    func receivedConfirmation(_ confirmation: Confirmation) {
        perform(machine.receivedConfirmation(confirmation))
        guard machine.end == nil else { return }
        lanes.receivedConfirmation(of: confirmation.resource)
        if lanes.position == confirmation.resource { laneConnections.received(.confirmed) }
        noteProgress()
    }

    func receivedFailure(_ failure: Failure) {
        do {
            // If the file has shrunk, the kernel may have sent zeros. Then that is the reason, not the receiver's failed check.
            if machine.end == nil { try content?.checkSize() }
            perform(machine.receivedFailure(failure))
        } catch {
            fail(error)
        }
    }

    /// Answers a receiver that wants to know how much it lacks before it answers the offer.
    func receivedDigestQuery(_ query: DigestQuery) {
        switch machine.receivedDigestQuery(query) {
        case .sendDigests(let positions):
            for position in positions { add(.digests(position)) }
        case .end(let end): finish(end)
        default: break
        }
    }

    func receivedPieceQuery(_ query: PieceQuery) {
        switch machine.receivedPieceQuery(query) {
        case .listPieces(let position, let chunks): add(.pieces(position, chunks))
        case .end(let end): finish(end)
        default: break
        }
    }

    func receivedRangeRequest(_ request: RangeRequest) {
        switch machine.receivedRangeRequest(request) {
        case .sendRanges(let position, let runs):
            progress.meter.found(position, bytes: responses.requests(runs, of: position))
            add(.ranges(position, runs))
        case .end(let end): finish(end)
        default: break
        }
    }

    private func add(_ response: ResponseQueue.Response) {
        responses.add(response)
        noteProgress()
    }

    /// Answers the requests of an offer, one after the other, for as long as the transfer lasts.
    ///
    /// Positions in its manifest mean nothing in the manifest of the next ``offerNumber``.
    func answerRequests(_ requests: AsyncStream<ResponseQueue.Response>, of offer: Int, encrypted: Bool) async {
        var writer = BulkWriter(
            connection: lifecycle.connection,
            limits: lifecycle.configuration.limits,
            isEncrypted: encrypted,
            executor: executor
        )
        for await response in requests {
            // The receiver may have declined the offer before its questions were answered.
            guard offer == offerNumber else { return }
            do {
                guard let position = response.position else {
                    // What the receiver asked before its selection has been answered.
                    if case .done(let completion) = response { lifecycle.send(.done(completion)) }
                    continue
                }
                let content = try await open(position)
                guard offer == offerNumber else { return }
                self.content = content
                defer { if offer == offerNumber { self.content = nil } }
                writer.turn = turn.turn
                guard try await send(response, of: offer, at: position, from: content, by: writer) else { return }
            } catch let error as BulkWriter.SourceFailure {
                guard offer == offerNumber else { return }
                return fail(error.cause)
            } catch {
                // The reader reports a broken connection, with the better reason.
                return
            }
        }
    }

    /// Answers one request; false if the transfer has ended.
    private func send(
        _ response: ResponseQueue.Response,
        of offer: Int,
        at position: Int,
        from content: ReadableContent,
        by writer: BulkWriter
    ) async throws -> Bool {
        let layout = manifest.entries[position].layout
        switch response {
        case .digests: return try await sendDigests(of: position, offer, by: writer)
        case .pieces(_, let chunks):
            return try await sendPieces(of: chunks, layout, at: position, offer, from: content, by: writer)
        case .ranges(_, let runs):
            var cursor = ChunkCursor(runs)
            turn.turn?.set(isReady: true)
            defer { turn.turn?.set(isReady: false) }
            let isSent = try await writer.send(
                position,
                from: content,
                next: { cursor.takeBytes(atMost: $0) },
                sent: { sent($0, of: position) }
            )
            guard isSent else { return false }
            machine.rangesSent(position)
            noteAnswered()
        case .chunks(_, let runs):
            guard try await send(runs, of: position, from: content, by: writer) else { return false }
            progress.meter.finished(position)
            noteAnswered()
            report(progress.report(at: .now))
            if case .sendDone(let completion) = machine.chunksSent(position) {
                turn.leave()
                lifecycle.send(.done(completion))
                progress.isArriving = true
            }
        case .done: break
        }
        return true
    }

    /// Sends the list of a resource's digests, part by part; false if the transfer has ended.
    private func sendDigests(of position: Int, _ offer: Int, by writer: BulkWriter) async throws -> Bool {
        let entry = manifest.entries[position]
        let digests: [ContentDigest]
        do {
            digests = try await context.pool.runIfActive { [source] in try source.chunkDigests(of: entry) }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
        // The transfer may have ended while the digests were read.
        guard isAtHand(offer) else { return false }
        let parts = DigestListPart.parts(of: digests, resource: position).lazy.map(Frame.digests)
        return try await writer.send(parts) {
            noteProgress()
            return isAtHand(offer)
        }
    }

    /// Whether the transfer of an offer continues.
    private func isAtHand(_ offer: Int) -> Bool { offer == offerNumber && machine.end == nil }

    private func noteAnswered() {
        responses.answered()
        noteProgress()
    }

    /// Sends the list of the pieces of the first of some chunks, part by part; false if the transfer has ended.
    private func sendPieces(
        of chunks: ChunkRuns,
        _ layout: ChunkLayout,
        at position: Int,
        _ offer: Int,
        from content: ReadableContent,
        by writer: BulkWriter
    ) async throws -> Bool {
        let entry = manifest.entries[position]
        let limits = lifecycle.configuration.limits
        // A person needs them to decide on the offer, and nothing else does.
        let hasKeys = !machine.hasSelection
        let list: (bytes: ByteBuffer, end: Int)
        do {
            list = try await context.pool.runIfActive { [source] in
                let pieces = source.pieces(of: entry)
                return try content.pieceList(of: chunks, layout, hasKeys ? pieces : pieces?.withoutKeys, limits)
            }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
        guard isAtHand(offer),
            case .sendPieceList(let parts) = machine.piecesListed(position, list.bytes, until: list.end)
        else { return false }
        progress.meter.listed(bytes: PieceList.contentLength(of: list.bytes))
        return try await writer.send(parts.lazy.map(Frame.pieceList)) {
            noteProgress()
            return isAtHand(offer)
        }
    }

    /// Restarts the time limit: the receiver waits for requested bytes or does its own work.
    ///
    /// Until the receiver has answered the offer, only the time limit of the answer counts.
    func noteProgress(bytes: Int = 0) {
        guard machine.hasSelection else { return }
        lifecycle.progressed(isBulk: responses.owesBytes, bytes: bytes)
    }

    private func open(_ position: Int) async throws -> ReadableContent {
        let entry = manifest.entries[position]
        do {
            return try await context.pool.runIfActive { [source] in
                try ReadableContent(source.content(of: entry), size: entry.size)
            }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
    }

    func sent(_ length: Int, of position: Int) -> Bool {
        let now = ContinuousClock.now
        lanes.sent(at: now)
        progress.meter.transferred(position, bytes: UInt64(length), at: now)
        turn.turn?.sent(length, left: progress.meter.bytesLeft)
        noteProgress(bytes: length)
        return machine.end == nil
    }

    /// Reports how much has arrived of the resource that is being sent.
    func reportArrived(at now: ContinuousClock.Instant) async {
        guard machine.end == nil, content != nil || progress.isArriving, machine.hasSelection else { return }
        var waiting: UInt64 = 0
        for connection in [lifecycle.connection] + laneConnections.open.values {
            waiting += await SocketTuning.statistics(of: connection.channel)?.unacknowledged ?? 0
        }
        // Everything may have been sent while the statistics were awaited.
        guard machine.end == nil, content != nil || progress.isArriving else { return }
        progress.meter.waiting = waiting
        turn.arrived(progress.meter.arrived)
        if progress.isArriving, waiting == 0 { return reportAllArrived() }
        report(progress.dueReport(at: now))
    }

    /// Reports that everything that was sent has arrived, once.
    func reportAllArrived() {
        guard let whole = progress.allArrived(at: .now) else { return }
        context.report(peer, .transfer(.transferring(whole)))
        context.report(peer, .transfer(.committing))
    }

    private func report(_ progress: TransferProgress?) {
        guard machine.end == nil, let progress else { return }
        context.report(peer, .transfer(.transferring(progress)))
    }
}

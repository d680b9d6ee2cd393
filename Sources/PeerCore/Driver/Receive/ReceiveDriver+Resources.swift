import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Copies the chunks of each resource that are present, requests the others, and stores them as they arrive.
extension ReceiveDriver {
    /// How many groups of chunks are verified and written at a time: one for each thread.
    private static let maximumPendingWrites = 2
    /// How many bytes of whole chunks may wait for a thread.
    ///
    /// The more chunks are verified at once, the fewer are too few for all lanes of the processor.
    private static let maximumWaitingLength = 512 * 1024

    func receivedDigests(_ part: DigestListPart) async {
        defer { noteProgress(bytes: part.digests.count * ContentDigest.byteCount) }
        await perform(machine.receivedDigests(part))
    }

    func receivedPieceList(_ part: PieceListPart) async {
        defer { noteProgress(bytes: part.bytes.readableBytes) }
        let action = machine.receivedPieceList(part)
        if case .readList(_, let list) = action {
            progress.meter.listed(bytes: PieceList.contentLength(of: list.bytes))
        }
        await perform(action)
    }

    /// Does what the machine says.
    func perform(_ action: ReceiverStateMachine.Action) async {
        switch action {
        case .ask(let manifest):
            ask(manifest)
        case .sendDigestQuery(let query):
            lifecycle.send(.digestQuery(query))
        case .locateChunks(let position, let digests):
            await arrive(position, digests)
        case .sendPieceQuery(let query):
            lifecycle.send(.pieceQuery(query))
        case .readList(let position, let list):
            await compare(list, of: position)
        case .sendRangeRequests(let position, _, let missing, let ready):
            for request in RangeRequest.requests(for: missing, of: position) { lifecycle.send(.rangeRequest(request)) }
            if missing.ranges.isEmpty || !ready.isEmpty { await combine(ready, of: position) }
        case .finishEstimate(let position, let isComplete):
            endEstimate(of: position, isLimit: !isComplete)
        case .sendRequest(let request):
            lifecycle.send(.request(request))
        case .sendRequestAndStore(let request):
            lifecycle.send(.request(request))
            await store(request.resource)
        case .keep(let position, let chunks, let isWhole):
            await keep(chunks, of: position, isWhole: isWhole)
        case .combine(let position, let chunks):
            await combine(chunks, of: position)
        case .openLanes(let invitation):
            openLanes(invitation)
        case .awaitEndOfLanes(let position):
            awaitEndOfLanes(position)
        case .sendConfirmation(let confirmation):
            lifecycle.send(.confirmation(confirmation))
        case .show(let notice):
            reception.turn = TransferTurn(notice)
        case .commit:
            await commit()
        case .end(let end):
            finish(end)
        // What answers an offer or a commit is sent where it is known what else follows.
        case .sendSelection, .sendDecline, .sendAcknowledgement, .none:
            break
        }
    }

    private func arrive(_ position: Int, _ digests: [ContentDigest]) async {
        guard let entry = reception.entry(position) else { return }
        let isWanted = machine.hasSelection
        reception.arrivals[position] = ArrivingResource(
            entry: entry,
            digests: digests,
            located: reception.whole.removeValue(forKey: position),
            isWanted: isWanted
        )
        if isWanted { await begin(position) } else { jobs.add { await self.locateEarly(position) } }
    }

    /// Copies the chunks of a wanted resource that are present, and sends the first request for it.
    func begin(_ position: Int) async {
        guard let transfer = reception.transfer, let arrival = reception.arrivals[position] else { return }
        let (entry, digests) = (arrival.entry, arrival.digests)
        do {
            let located = if let located = arrival.located { located } else { try await locate(arrival) }
            let missing = try await context.pool.runIfActive {
                try transfer.missingChunks(of: entry, digests: digests, located: located)
            }
            reception.arrivals[position]?.begun(located)
            progress.meter.found(position, bytes: entry.size - missing.byteCount(in: entry.layout))
            let comparable = located.older?.chunks ?? .none
            await perform(machine.chunksLocated(position, missing: missing, comparable: comparable))
        } catch {
            fail(error)
        }
    }

    func receivedData(_ header: DataHeader, on connection: Int) async {
        noteProgress()
        await perform(machine.receivedData(header, on: connection))
    }

    func receivedBytes(_ buffers: [ByteBuffer], on connection: Int) async {
        let count = buffers.reduce(0) { $0 + $1.readableBytes }
        defer { noteProgress(bytes: count) }
        await perform(machine.receivedBytes(buffers, on: connection))
    }

    /// Verifies chunks and stores them, off the event loop.
    ///
    /// The next bytes are accepted while the previous ones are still hashed and written. Their results are processed with the
    /// next bytes or the next tick.
    private func keep(_ gathered: [ChunkVerifier.Gathered], of position: Int, isWhole: Bool) async {
        guard reception.transfer != nil else { return }
        do {
            try noteKept()
            for chunks in gathered {
                if !reception.wait(chunks, of: position) {
                    writeWaiting()
                    _ = reception.wait(chunks, of: position)
                }
                if let waiting = reception.waiting, waiting.chunks.byteCount >= Self.maximumWaitingLength {
                    try await keep(atMost: Self.maximumPendingWrites - 1)
                }
                writeWaitingIfFree()
            }
            guard isWhole else { return }
            // The resource is checked as a whole, so all of it must have been written.
            writeWaiting()
            try await keep(atMost: 0)
            if machine.end == nil { await store(position) }
        } catch {
            failKeeping(error)
        }
    }

    /// Verifies and writes chunks that wait, if a thread is free.
    ///
    /// While another thread is at work, only as many as are verified best at once.
    private func writeWaitingIfFree() {
        switch reception.pendingWrites.count {
        case 0: writeWaiting()
        case ..<Self.maximumPendingWrites:
            if let best = reception.waiting?.chunks.bestCount, best > 0 { writeWaiting(atMost: best) }
        default: break
        }
    }

    /// Begins to verify and write chunks that wait.
    func writeWaiting(atMost count: Int = .max) {
        guard let (position, chunks) = reception.takeWaiting(atMost: count) else { return }
        guard let transfer = reception.transfer, let entry = reception.entry(position) else { return }
        let work = PooledWork(on: context.pool) { [writing = reception.writing] in
            let verified = try chunks.verified()
            // The kernel allows one writer to a file at a time and lets the other one spin.
            try writing.withLock { try transfer.write(verified.buffers, at: verified.offset, of: entry) }
            return UInt64(verified.byteCount)
        }
        reception.pendingWrites.append((position, work))
    }

    /// Processes the results of writes that have ended, and begins the next one.
    func noteKeptInTime() {
        guard machine.end == nil else { return }
        do {
            try noteKept()
            writeWaitingIfFree()
        } catch {
            failKeeping(error)
        }
    }

    private func noteKept() throws {
        while let (position, work) = reception.pendingWrites.first, let result = work.finishedResult {
            reception.pendingWrites.removeFirst()
            noteTransferred(try result.get(), of: position)
        }
    }

    private func failKeeping(_ error: any Error) {
        if let error = error as? ProtocolError { perform(machine.receivedInvalid(error)) } else { fail(error) }
    }

    /// Waits until at most this many groups of chunks are being written.
    private func keep(atMost count: Int) async throws {
        while reception.pendingWrites.count > count {
            let (position, work) = reception.pendingWrites.removeFirst()
            let kept = try await work.result()
            guard machine.end == nil else { return }
            noteTransferred(kept, of: position)
        }
    }

    func noteTransferred(_ count: UInt64, of position: Int) {
        let now = ContinuousClock.now
        progress.meter.transferred(position, bytes: count, at: now)
        report(progress.dueReport(at: now))
    }

    private func store(_ position: Int) async {
        guard let transfer = reception.transfer, let entry = reception.entry(position) else { return }
        do {
            try await context.pool.runIfActive { try transfer.finish(entry) }
            reception.arrivals[position] = nil
            progress.meter.finished(position)
            report(progress.report(at: .now))
            await perform(machine.resourceStored(position))
        } catch {
            fail(error)
        }
    }

    /// Restarts the time limit: this side waits for requested bytes or for the sender's own work.
    ///
    /// Until the offer is answered, only the time limits of the answer and the survey count.
    func noteProgress(bytes: Int = 0) {
        guard machine.hasSelection else { return }
        lifecycle.progressed(isBulk: machine.isAwaitingData, bytes: bytes)
    }

    private func report(_ progress: TransferProgress?) {
        guard machine.end == nil, let progress else { return }
        context.report(peer, .transfer(.transferring(progress)))
    }
}

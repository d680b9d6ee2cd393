import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Finding out what is missing of each resource, and keeping it as it comes.
extension ReceiveDriver {
    /// How many pieces may wait to be verified and written: one for each thread and one in reserve.
    private static let maximumKeeping = 3

    func receivedDigests(_ part: DigestListPart) async {
        defer { noteProgress(bytes: part.digests.count * ContentDigest.byteCount) }
        switch machine.receivedDigests(part) {
        case .locateChunks(let position, let digests):
            guard let transfer, let entry = manifest?.entries[position] else { return }
            do {
                let comparesPages = lifecycle.features.contains(Hello.pagesFeature)
                let (missing, older) = try await pool.runIfActive {
                    let missing = try transfer.missingChunks(of: entry, digests: digests)
                    return (missing, comparesPages ? try transfer.deltaBasis(of: entry, for: missing) : nil)
                }
                arrivals[position] = ArrivingResource(entry: entry, digests: digests, older: older)
                meter.found(position, bytes: entry.size - missing.byteCount(in: entry.layout))
                let comparable = older?.chunks ?? .none
                await perform(machine.chunksLocated(position, missing: missing, comparable: comparable), for: position)
            } catch {
                fail(error)
            }
        case .end(let end):
            finish(end)
        case .awaitNextPart, .none:
            break
        }
    }

    /// Asks for what is to be asked for next of a resource.
    func perform(_ action: ReceiverStateMachine.OnChunksLocated, for position: Int) async {
        switch action {
        case .sendPageQuery(let query):
            lifecycle.send(.pageQuery(query))
        case .sendRequest(let request):
            lifecycle.send(.request(request))
        case .sendRequestAndStore(let request):
            lifecycle.send(.request(request))
            await store(position)
        case .none:
            break
        }
    }

    func receivedData(_ header: DataHeader, on connection: Int) {
        noteProgress()
        switch machine.receivedData(header, on: connection) {
        case .keep(let position):
            arrivals[position]?.expectBytes(from: header.offset, on: connection)
        case .assemble:
            break
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Verifies bytes and keeps the chunks that they complete, off the event loop.
    ///
    /// The next bytes are taken while the last ones are still hashed and written; what became of those is noted when more
    /// comes, or with the next tick.
    func keep(_ buffers: [ByteBuffer], on connection: Int) async {
        let count = buffers.reduce(0) { $0 + $1.readableBytes }
        defer { noteProgress(bytes: count) }
        switch machine.receivedBytes(count, on: connection) {
        case .keep(let position): await keep(buffers, of: position, on: connection)
        case .keepAndStore(let position): await keep(buffers, of: position, on: connection, isLast: true)
        case .assemble(let position): await assemble(buffers, of: position)
        case .none: break
        }
    }

    private func keep(_ buffers: [ByteBuffer], of position: Int, on connection: Int, isLast: Bool = false) async {
        guard let transfer, let entry = manifest?.entries[position] else { return }
        do {
            try noteKept()
            for chunks in try arrivals[position]?.gather(buffers, on: connection) ?? [] {
                let work = PooledWork(on: pool) { [writing] in
                    let verified = try chunks.verified()
                    // The kernel lets one write to a file at a time, and has the other spin.
                    try writing.withLock { try transfer.write(verified.buffers, at: verified.offset, of: entry) }
                    return UInt64(verified.byteCount)
                }
                keeping.append((position, work))
                try await keep(atMost: Self.maximumKeeping)
            }
            guard isLast else { return }
            try await keep(atMost: 0)
            if machine.end == nil { await store(position) }
        } catch {
            failKeeping(error)
        }
    }

    /// Notes what has been kept, or could not be, since the last bytes came.
    func noteKeptInTime() {
        guard machine.end == nil else { return }
        do {
            try noteKept()
        } catch {
            failKeeping(error)
        }
    }

    private func noteKept() throws {
        while let (position, work) = keeping.first, let result = work.finishedResult {
            keeping.removeFirst()
            noteTransferred(try result.get(), of: position)
        }
    }

    private func failKeeping(_ error: any Error) {
        if let error = error as? ProtocolError { perform(machine.receivedInvalid(error)) } else { fail(error) }
    }

    /// Waits until at most so many pieces are being kept.
    private func keep(atMost count: Int) async throws {
        while keeping.count > count {
            let (position, work) = keeping.removeFirst()
            let kept = try await work.result()
            guard machine.end == nil else { return }
            noteTransferred(kept, of: position)
        }
    }

    func noteTransferred(_ count: UInt64, of position: Int) {
        let now = ContinuousClock.now
        meter.transferred(position, bytes: count, at: now)
        if lastProgress.map({ now - $0 >= .milliseconds(100) }) ?? true { reportProgress(at: now) }
    }

    private func store(_ position: Int) async {
        guard let transfer, let entry = manifest?.entries[position] else { return }
        do {
            try await pool.runIfActive { try transfer.finish(entry) }
            arrivals[position] = nil
            meter.finished(position)
            reportProgress(at: .now)
            if case .sendConfirmation(let confirmation) = machine.resourceStored(position) {
                lifecycle.send(.confirmation(confirmation))
            }
        } catch {
            fail(error)
        }
    }

    /// The transfer went on: bytes that were asked for are all that is awaited, or the sender's own work.
    func noteProgress(bytes: Int = 0) {
        guard machine.end == nil else { return }
        lifecycle.progressed(isBulk: machine.isAwaitingData, bytes: bytes)
    }

    func reportProgress(at now: ContinuousClock.Instant) {
        guard machine.end == nil, let progress = meter.progress(at: now) else { return }
        lastProgress = now
        report(peer, .transfer(.transferring(progress)))
    }
}

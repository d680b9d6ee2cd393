import NIOCore
import NIOPosix

/// What a receiver has asked for of a resource, with the resource's position.
enum PendingResponse: Sendable {
    /// The digests of all chunks.
    case digests(Int)
    /// The digests of the pages of these chunks.
    case pageDigests(Int, ChunkRuns)
    /// These pages.
    case pages(Int, PageRuns)
    /// These chunks.
    case chunks(Int, ChunkRuns)

    var position: Int {
        switch self {
        case .digests(let position), .pageDigests(let position, _), .pages(let position, _),
            .chunks(let position, _):
            position
        }
    }
}

/// Answering requests, one after the other.
extension SendDriver {
    func receivedRequest(_ request: ChunkRequest) {
        switch machine.receivedRequest(request) {
        case .sendChunks(let position, let runs) where work?.position == position:
            dispatchAnswers?.yield(.lost(runs))
            noteProgress()
        case .sendChunks(let position, let runs):
            let entry = source.manifest.entries[position]
            let awaited = runs.byteCount(in: entry.layout) + comparedBytes[position, default: 0]
            meter.found(position, bytes: entry.size - min(entry.size, awaited))
            enqueue(.chunks(position, runs))
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    func receivedConfirmation(_ confirmation: Confirmation) {
        perform(machine.receivedConfirmation(confirmation))
        guard machine.end == nil else { return }
        confirmedPositions.insert(confirmation.resource)
        if work?.position == confirmation.resource { dispatchAnswers?.yield(.confirmed) }
        noteProgress()
    }

    func receivedFailure(_ failure: Failure) {
        do {
            // The kernel may send zeros in place of what a file has lost; that the receiver finds them wrong is not the reason.
            if machine.end == nil { try content?.checkSize() }
            perform(machine.receivedFailure(failure))
        } catch {
            fail(error)
        }
    }

    func receivedPageQuery(_ query: PageQuery) {
        switch machine.receivedPageQuery(query) {
        case .hashPages(let position, let chunks):
            ordersIn.yield(.pageDigests(position, chunks))
            noteProgress()
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    func receivedPageRequest(_ request: PageRequest) {
        switch machine.receivedPageRequest(request) {
        case .sendPages(let position, let pages, let chunks):
            let layout = source.manifest.entries[position].layout
            let compared = chunks.byteCount(in: layout)
            comparedBytes[position, default: 0] += compared
            meter.found(position, bytes: compared - pages.byteCount(in: layout))
            enqueue(.pages(position, pages))
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    private func enqueue(_ order: PendingResponse) {
        unsentCount += 1
        noteProgress()
        ordersIn.yield(order)
    }

    /// Sends what was ordered, one thing after the other, for as long as the session lasts.
    func sendOrdered(encrypted: Bool) async {
        let writer = BulkWriter(
            connection: lifecycle.connection,
            limits: lifecycle.configuration.limits,
            isEncrypted: encrypted,
            executor: executor
        )
        for await order in orders {
            do {
                let content = try await open(order.position)
                self.content = content
                defer { self.content = nil }
                guard try await fulfil(order, from: content, by: writer) else { return }
            } catch let error as BulkWriter.SourceFailure {
                return fail(error.cause)
            } catch {
                // A failing connection is reported by the reader, with the better reason.
                return
            }
        }
    }

    /// Answers one request; false if the session has ended.
    private func fulfil(
        _ order: PendingResponse,
        from content: ReadableContent,
        by writer: BulkWriter
    ) async throws -> Bool {
        let layout = source.manifest.entries[order.position].layout
        switch order {
        case .digests(let position):
            return try await sendDigests(of: position, by: writer)
        case .pageDigests(let position, let chunks):
            let digests = try await hash(chunks, layout, of: content)
            guard case .sendPageDigests(let list) = machine.pagesHashed(position, digests) else { return false }
            lifecycle.send(.pageDigests(list))
            noteProgress()
        case .pages(let position, let pages):
            var cursor = ChunkCursor(pages: pages, layout: layout)
            let isSent = try await writer.send(
                position,
                from: content,
                next: { cursor.takePiece(atMost: $0) },
                sent: { sent($0, of: position) }
            )
            guard isSent else { return false }
            noteAnswered()
        case .chunks(let position, let runs):
            guard try await send(runs, of: position, from: content, by: writer) else { return false }
            meter.finished(position)
            noteAnswered()
            reportProgress(at: .now)
            if case .sendDone(let completion) = machine.chunksSent(position) {
                lifecycle.send(.done(completion))
                report(peer, .transfer(.committing))
            }
        }
        return true
    }

    /// Sends the list of a resource's digests, part by part; false if the session has ended.
    private func sendDigests(of position: Int, by writer: BulkWriter) async throws -> Bool {
        let entry = source.manifest.entries[position]
        let digests: [ContentDigest]
        do {
            digests = try await pool.runIfActive { [source] in try source.chunkDigests(of: entry) }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
        guard machine.end == nil else { return false }
        let parts = DigestListPart.parts(of: digests, resource: position).lazy.map(Frame.digests)
        return try await writer.send(parts) {
            noteProgress()
            return machine.end == nil
        }
    }

    private func noteAnswered() {
        unsentCount -= 1
        noteProgress()
    }

    private func hash(
        _ chunks: ChunkRuns,
        _ layout: ChunkLayout,
        of content: ReadableContent
    ) async throws -> [PageDigest] {
        do {
            return try await pool.runIfActive { try content.pageDigests(of: chunks, layout) }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
    }

    /// The transfer went on: bytes that were asked for are all that is awaited, or the receiver's own work.
    func noteProgress(bytes: Int = 0) {
        guard machine.end == nil else { return }
        lifecycle.progressed(isBulk: unsentCount > 0, bytes: bytes)
    }

    private func open(_ position: Int) async throws -> ReadableContent {
        let entry = source.manifest.entries[position]
        do {
            return try await pool.runIfActive { [source] in
                try ReadableContent(source.content(of: entry), size: entry.size)
            }
        } catch {
            throw BulkWriter.SourceFailure(cause: error)
        }
    }

    func sent(_ length: Int, of position: Int) -> Bool {
        let now = ContinuousClock.now
        lanes.lastSent = now
        meter.transferred(position, bytes: UInt64(length), at: now)
        noteProgress(bytes: length)
        if lastProgress.map({ now - $0 >= .milliseconds(100) }) ?? true { reportProgress(at: now) }
        return machine.end == nil
    }

    private func reportProgress(at now: ContinuousClock.Instant) {
        guard machine.end == nil, let progress = meter.progress(at: now) else { return }
        lastProgress = now
        report(peer, .transfer(.transferring(progress)))
    }
}

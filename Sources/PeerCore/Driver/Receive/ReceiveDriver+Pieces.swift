import NIOCore
import NIOPosix

/// Compares a resource with its older version page by page and combines chunks from both.
extension ReceiveDriver {
    func receivedPageDigests(_ list: PageDigestList) async {
        defer { noteProgress() }
        switch machine.receivedPageDigests(list) {
        case .comparePages(let position, let chunks):
            guard let arrival = reception.arrivals[position], let older = arrival.located?.older else { return }
            let layout = arrival.entry.layout
            do {
                let comparison = PageComparison(layout: layout, chunks: chunks, digests: list.digests)
                let differing = try await context.pool.runIfActive {
                    comparison.differingPages { older.bytes(in: $0) }
                }
                // When the time of an estimate is over, the sender is asked nothing more.
                guard machine.hasSelection || runningEstimate != nil else { return }
                let action = machine.pagesCompared(position, differing: differing)
                let same = chunks.byteCount(in: layout) - differing.byteCount(in: layout)
                if case .sendPageRequest = action {
                    reception.arrivals[position]?.expect(differing, of: chunks)
                    progress.meter.found(position, bytes: same)
                } else {
                    runningEstimate?.found(position, same: same)
                }
                await perform(action, for: position)
            } catch {
                fail(error)
            }
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Adds bytes of pages and stores the chunks that they complete, off the event loop.
    func assemble(_ buffers: [ByteBuffer], of position: Int) async {
        guard let arrival = reception.arrivals[position], let older = arrival.located?.older,
            let transfer = reception.transfer
        else { return }
        let entry = arrival.entry
        do {
            let chunks = try reception.arrivals[position]?.assembler?.gather(buffers) ?? []
            let failed = try await context.pool.runIfActive {
                try chunks.filter { try !transfer.keep($0, with: older, of: entry) }
            }
            guard machine.end == nil else { return }
            reception.arrivals[position]?.failed += failed.map { $0.position..<$0.position + 1 }
            noteTransferred(buffers.reduce(0) { $0 + UInt64($1.readableBytes) }, of: position)
            if reception.arrivals[position]?.assembler?.isComplete == true { await endRound(of: position) }
        } catch let error as ProtocolError {
            perform(machine.receivedInvalid(error))
        } catch {
            fail(error)
        }
    }

    private func endRound(of position: Int) async {
        guard let arrival = reception.arrivals[position] else { return }
        reception.arrivals[position]?.assembler = nil
        let layout = arrival.entry.layout
        let failed = layout.runs(validating: arrival.failed) ?? .none
        progress.meter.lost(position, bytes: failed.byteCount(in: layout))
        await perform(machine.chunksAssembled(position, except: failed), for: position)
    }
}

extension IncomingTransfer {
    /// Combines a chunk from received and older pages and stores it; false if it does not match its digest.
    func keep(
        _ chunk: PageAssembler.GatheredChunk,
        with older: DeltaBasis,
        of entry: ManifestEntry
    ) throws -> Bool {
        guard let bytes = chunk.assembled(with: older.bytes(in: chunk.byteRange)) else { return false }
        let offset = chunk.byteRange.lowerBound
        try writeAssembled(bytes, at: offset, of: entry, arrivedCount: chunk.arrivedCount)
        return true
    }
}

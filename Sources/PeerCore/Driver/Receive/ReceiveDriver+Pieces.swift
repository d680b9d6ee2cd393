import NIOCore
import NIOPosix

/// Looks for the pieces of a resource in what is present, and combines chunks from them and what arrives.
extension ReceiveDriver {
    func receivedPieceList(_ part: PieceListPart) async {
        defer { noteProgress(bytes: part.bytes.readableBytes) }
        switch machine.receivedPieceList(part) {
        case .readList(let position, let list):
            progress.meter.listed(bytes: PieceList.contentLength(of: list.bytes))
            await compare(list, of: position)
        case .end(let end):
            finish(end)
        case .none:
            break
        }
    }

    /// Reads a list of pieces, looks for the pieces, and asks for what is missing, or, before the selection, for the next list.
    func compare(_ received: ReceivedPieceList, of position: Int) async {
        guard let arrival = reception.arrivals[position], let basis = arrival.located?.older else { return }
        let layout = arrival.entry.layout
        let limits = lifecycle.configuration.limits
        let noteSurvey = machine.hasSelection ? nil : basis.noteSurvey
        do {
            let (comparison, missing) = try await context.pool.runIfActive {
                let list = try PieceList(reading: received.bytes, query: received.query, layout: layout, limits: limits)
                let comparison = PieceComparison(list, with: basis)
                noteSurvey?(comparison)
                return (comparison, comparison.missing(of: received.wanted))
            }
            // When the time of an estimate is over, the sender is asked nothing more.
            guard machine.hasSelection || runningEstimate != nil else { return }
            let chunks = comparison.list.chunks
            let action = machine.piecesCompared(position, chunks, missing: missing)
            if case .sendRangeRequests(_, let wanted, _) = action {
                reception.arrivals[position]?.expect(missing, of: wanted, with: comparison)
                progress.meter.found(position, bytes: wanted.byteCount(in: layout) - missing.byteCount)
            } else {
                let same = chunks.byteCount(in: layout) - missing.byteCount
                // What the list itself has was transferred with it, and is told so in the end.
                let listed = UInt64(PieceList.contentLength(of: received.bytes))
                runningEstimate?.found(position, same: same - min(same, listed), comparison)
            }
            await perform(action, for: position)
        } catch let error as ProtocolError {
            perform(machine.receivedInvalid(error))
        } catch {
            fail(error)
        }
    }

    /// Adds bytes of pieces and stores the chunks that they complete, off the event loop.
    func assemble(_ buffers: [ByteBuffer], of position: Int) async {
        // Without a copy of the whole value: a change would then copy what is gathered, for each frame.
        guard let entry = reception.entry(position), let comparison = reception.arrivals[position]?.comparison,
            let transfer = reception.transfer
        else { return }
        do {
            let chunks = try reception.arrivals[position]?.assembler?.gather(buffers) ?? []
            let failed = try await context.pool.runIfActive {
                try chunks.filter { try !transfer.keep($0, with: comparison, of: entry) }
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
        reception.arrivals[position]?.comparison = nil
        let layout = arrival.entry.layout
        let failed = layout.runs(validating: arrival.failed) ?? .none
        progress.meter.lost(position, bytes: failed.byteCount(in: layout))
        await perform(machine.chunksAssembled(position, except: failed), for: position)
    }
}

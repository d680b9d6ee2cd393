import NIOCore
import NIOPosix

/// Looks for the pieces of a resource in what is present, and combines chunks from them and what arrives.
extension ReceiveDriver {
    /// Reads a list of pieces, looks for the pieces, and asks for what is missing, or, before the selection, for the next list.
    func compare(_ received: PieceList.Received, of position: Int) async {
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
            if case .sendRangeRequests(_, let wanted, _, _) = action {
                reception.arrivals[position]?.comparison = comparison
                progress.meter.found(position, bytes: wanted.byteCount(in: layout) - missing.byteCount)
            } else {
                let same = chunks.byteCount(in: layout) - missing.byteCount
                // What the list itself has was transferred with it, and is told so in the end.
                let listed = UInt64(PieceList.contentLength(of: received.bytes))
                runningEstimate?.found(position, same: same - min(same, listed), comparison)
            }
            await perform(action)
        } catch let error as ProtocolError {
            perform(machine.receivedInvalid(error))
        } catch {
            fail(error)
        }
    }

    /// Combines chunks with what is present and stores them, off the event loop.
    func combine(_ chunks: [PieceAssembler.GatheredChunk], of position: Int) async {
        guard let entry = reception.entry(position), let comparison = reception.arrivals[position]?.comparison,
            let transfer = reception.transfer
        else { return }
        do {
            let failed = try await context.pool.runIfActive {
                try chunks.filter { try !transfer.keep($0, with: comparison, of: entry) }
            }
            guard machine.end == nil else { return }
            noteTransferred(chunks.reduce(0) { $0 + UInt64($1.arrivedCount) }, of: position)
            progress.meter.lost(position, bytes: failed.reduce(0) { $0 + UInt64($1.byteRange.count) })
            await perform(machine.chunksCombined(position, except: failed.map(\.position)))
        } catch {
            fail(error)
        }
    }
}

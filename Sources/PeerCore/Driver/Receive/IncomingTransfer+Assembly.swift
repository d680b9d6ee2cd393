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

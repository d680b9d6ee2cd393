package import NIOCore

extension PieceList {
    /// A list that came and is not read yet.
    package struct Received: Hashable, Sendable {
        /// The chunks that were queried; the list covers the first of them.
        package var query: ChunkRuns
        /// Those of them that are still missing.
        package var wanted: ChunkRuns
        package var bytes: ByteBuffer

        package init(query: ChunkRuns, wanted: ChunkRuns, bytes: ByteBuffer) {
            self.query = query
            self.wanted = wanted
            self.bytes = bytes
        }
    }
}

import Glibc
package import NIOCore

/// The bytes of a resource, open for reading.
package final class ReadableContent: Sendable {
    private enum Storage: Sendable {
        /// Two descriptors of one file. Only the event loop uses the handle, to send from it.
        case file(descriptor: CInt, handle: NIOFileHandle)
        case bytes(ByteBuffer)
    }

    private let storage: Storage
    private let size: UInt64

    package init(_ content: ResourceContent, size: UInt64) throws(PeerError) {
        self.size = size
        switch content {
        case .bytes(let bytes):
            guard UInt64(bytes.count) == size else { throw Self.changed("The data to send") }
            self.storage = .bytes(ByteBuffer(bytes: bytes))
        case .file(let path):
            // By now, the path may lead to a symbolic link, which is not followed, or to a pipe, which must not block.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { throw Self.failure() }
            guard let status = FileStatus(of: descriptor), status.kind == .regular, status.size == size else {
                Glibc.close(descriptor)
                throw Self.changed()
            }
            self.storage = try Self.file(owning: descriptor)
        }
    }

    private init(_ storage: Storage, size: UInt64) {
        self.storage = storage
        self.size = size
    }

    /// Opens the same bytes again, so that another event loop can send them too.
    func duplicated() throws(PeerError) -> ReadableContent {
        guard case .file(let descriptor, _) = storage else { return ReadableContent(storage, size: size) }
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { throw Self.failure() }
        return ReadableContent(try Self.file(owning: duplicate), size: size)
    }

    private static func file(owning descriptor: CInt) throws(PeerError) -> Storage {
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard second >= 0 else {
            defer { Glibc.close(descriptor) }
            throw failure()
        }
        return .file(descriptor: descriptor, handle: NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: second))
    }

    deinit {
        guard case .file(let descriptor, let handle) = storage else { return }
        Glibc.close(descriptor)
        try? handle.close()
    }

    /// Returns bytes that are in memory; nil if they must be read.
    func slice(_ range: Range<UInt64>) -> ByteBuffer? {
        guard case .bytes(let buffer) = storage else { return nil }
        return buffer.getSlice(at: Int(range.lowerBound), length: range.count)
    }

    /// Returns bytes, wherever they are; blocks.
    package func bytes(in range: Range<UInt64>) throws -> ByteBuffer {
        if let buffer = slice(range) { return buffer }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(range.count)
        try read(range, into: &buffer)
        return buffer
    }

    /// Lists the pieces of the first of some chunks; blocks.
    func pieceList(
        of chunks: ChunkRuns,
        _ layout: ChunkLayout,
        _ pieces: ResourcePieces?,
        _ limits: ProtocolLimits
    ) throws -> (bytes: ByteBuffer, end: Int) {
        let list = try PieceListBuilder.list(
            of: chunks,
            layout: layout,
            shape: pieces?.shape ?? .none,
            spans: pieces?.spans,
            limits: limits,
            read: bytes
        )
        guard let list else { throw PeerError(.localStorage, "There is not enough memory to send the file.") }
        return list
    }

    /// Reads bytes of a file; blocks.
    func read(_ range: Range<UInt64>, into buffer: inout ByteBuffer) throws {
        guard case .file(let descriptor, _) = storage else { return }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = Int(range.upperBound - offset)
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                let count = pread(descriptor, space.baseAddress, min(space.count, wanted), off_t(offset))
                if count < 0, errno == EINTR { return 0 }
                guard count > 0 else {
                    throw count == 0 ? Self.changed() : Self.failure()
                }
                return count
            }
            offset += UInt64(count)
        }
    }

    /// Checks that the resource is as long as it was.
    ///
    /// The kernel sends nothing of what a file has lost, and says nothing of it: the sending would never end.
    func checkSize() throws(PeerError) {
        guard case .file(let descriptor, _) = storage else { return }
        guard FileStatus(of: descriptor)?.size == size else { throw Self.changed() }
    }

    /// Returns the piece that sends bytes of a file without copying them.
    func regionPart(_ header: DataHeader) throws(PeerError) -> Outbound {
        guard case .file(_, let handle) = storage else { throw Self.changed("The data to send") }
        try checkSize()
        let start = Int(header.offset)
        return .file(header, FileRegion(fileHandle: handle, readerIndex: start, endIndex: start + header.length))
    }

    // These reach the other side, which our paths do not concern.
    private static func changed(_ what: String = "The file to send") -> PeerError {
        PeerError(.localStorage, "\(what) has changed since it was offered.", remedy: "Send it again.")
    }

    private static func failure() -> PeerError {
        guard errno == ENOENT else {
            return PeerError(.localStorage, "The file to send cannot be read: \(String(cString: strerror(errno))).")
        }
        return PeerError(.localStorage, "The file to send was removed.", remedy: "Restore it, then send it again.")
    }
}

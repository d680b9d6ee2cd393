import Crypto
import Glibc
import NIOCore
package import PeerProtocol
import PeerStorage
import RegionModel

/// Writes a region to a file on a stick: the frames of a transfer to a machine that is not here, sealed.
///
/// They are those of both sides, in order. What the machine would ask for follows from its request (``StickRequest``), and without one,
/// it is everything.
package struct StickWriter {
    /// For whom the file is sealed.
    package enum Recipient: Sendable {
        /// For the machine that has written a request.
        case machine(StickRequest)
        /// For anyone who has the secret.
        case anyone(StickSecret)
    }

    /// The sender, as the file names it.
    package struct Sender {
        /// The name of the person.
        package var name: String
        /// Signs a message with the key of this machine.
        package var sign: (_ message: [UInt8]) throws -> PeerSignature

        package init(name: String, sign: @escaping (_ message: [UInt8]) throws -> PeerSignature) {
            self.name = name
            self.sign = sign
        }
    }

    static let preface = Preface(application: "stick")

    /// The most bytes that are read from a resource at a time.
    private static let blockLength = 1 << 18

    private let source: RegionSource
    private let request: StickRequest?
    private let encoder = FrameEncoder(preface: preface)
    private let progress: (_ done: UInt64, _ total: UInt64) -> Void
    private var file: SealedFileWriter
    private var done: UInt64 = 0

    /// Writes a file that gets its name only when it is complete.
    ///
    /// - Parameter progress: Called with the number of processed bytes and the total number.
    package static func write(
        to path: String,
        _ source: RegionSource,
        for recipient: Recipient,
        from sender: Sender,
        progress: @escaping (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws {
        let request: StickRequest?
        let (header, key): (StickHeader, SymmetricKey)
        switch recipient {
        case .machine(let known):
            request = known
            (header, key) = try StickHeader.sealing(for: known)
        case .anyone(let secret):
            request = nil
            (header, key) = StickHeader.sealing(by: secret)
        }
        try FileExport.write(to: path) { file in
            var writer = try StickWriter(source, request, file, header, key, progress)
            try writer.writeAll(from: sender, header)
        }
    }

    private init(
        _ source: RegionSource,
        _ request: StickRequest?,
        _ file: OpenFile,
        _ header: StickHeader,
        _ key: SymmetricKey,
        _ progress: @escaping (_ done: UInt64, _ total: UInt64) -> Void
    ) throws {
        self.source = source
        self.request = request
        self.progress = progress
        self.file = try SealedFileWriter(file, key: key, header: header.bytes)
    }

    private mutating func writeAll(from sender: Sender, _ header: StickHeader) throws {
        let card = try StickCard(sender, of: source.manifest, in: header)
        try file.append(card.bytes)
        try file.append(Self.preface.bytes)
        try write(.manifest(source.manifest.body))
        for (position, entry) in source.manifest.entries.enumerated() { try write(entry, position) }
        try write(.done(Completion(id: source.manifest.id)))
        try file.finish()
    }

    private mutating func write(_ frame: Frame) throws {
        var buffer = ByteBuffer()
        try encoder.write(frame, into: &buffer)
        try file.append(buffer.readableBytesView)
    }

    private mutating func write(_ entry: ManifestEntry, _ position: Int) throws {
        for part in DigestListPart.parts(of: try source.chunkDigests(of: entry), resource: position) {
            try write(.digests(part))
        }
        defer { done += entry.size }
        guard request?.files.contains(entry.digest) != true, entry.layout.chunkCount > 0 else { return }
        let read = try reader(of: entry)
        guard let request, !request.pieces.isEmpty, let pieces = source.pieces(of: entry)?.withoutKeys else {
            try write(.request(ChunkRequest(resource: position, runs: entry.layout.allChunks.ranges)))
            return try write(0..<entry.size, of: position, read)
        }
        var first = 0
        while first < entry.layout.chunkCount {
            let query = [first..<entry.layout.chunkCount]
            guard let chunks = entry.layout.runs(validating: query),
                let made = try PieceListBuilder.list(
                    of: chunks,
                    layout: entry.layout,
                    shape: pieces.shape,
                    spans: pieces.spans,
                    read: read
                ), made.end > first
            else { throw RegionStoreError(.storage, "There is not enough memory to write the map.") }
            let list = try PieceList(reading: made.bytes, query: chunks, layout: entry.layout)
            let missing = list.missing(of: list.chunks) { run in
                request.hasPiece(list.digests[Int(list.runs[run].piece)])
            }
            try write(.pieceQuery(PieceQuery(resource: position, runs: query)))
            for part in PieceListPart.parts(of: made.bytes, resource: position) { try write(.pieceList(part)) }
            for request in RangeRequest.requests(for: missing, of: position) { try write(.rangeRequest(request)) }
            for run in missing.ranges { try write(run, of: position, read) }
            first = made.end
            progress(done + entry.layout.byteRange(of: 0..<first).upperBound, source.manifest.totalSize)
        }
    }

    private mutating func write(
        _ range: Range<UInt64>,
        of position: Int,
        _ read: (Range<UInt64>) throws -> ByteBuffer
    ) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(range.upperBound, offset + UInt64(Self.blockLength))
            let bytes = try read(offset..<end)
            var buffer = ByteBuffer()
            encoder.writeDataHeader(
                DataHeader(resource: position, offset: offset, length: bytes.readableBytes),
                into: &buffer
            )
            try file.append(buffer.readableBytesView)
            try file.append(bytes.readableBytesView)
            offset = end
            progress(min(done + offset, source.manifest.totalSize), source.manifest.totalSize)
        }
    }

    /// Returns a function that reads bytes of a resource.
    private func reader(of entry: ManifestEntry) throws -> (Range<UInt64>) throws -> ByteBuffer {
        switch try source.content(of: entry) {
        case .file(let path):
            let file = try RegionStoreError.mapping("read", path) { try OpenFile(path, O_RDONLY) }
            return { range in
                let bytes = file.bytes(in: range)
                guard bytes.readableBytes == range.count else {
                    throw RegionStoreError(.storage, "The file to send cannot be read, or has changed.")
                }
                return bytes
            }
        case .bytes(let bytes):
            return { range in ByteBuffer(bytes: bytes.dropFirst(Int(range.lowerBound)).prefix(range.count)) }
        }
    }
}

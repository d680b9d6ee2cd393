import Glibc
import NIOCore
import NIOPosix
import PeerStorage

/// The content of a request while it arrives.
///
/// Small pieces are collected, so that a client that sends single bytes costs little.
struct ArrivingContent {
    /// Where the content goes.
    enum Destination: Sendable {
        case file(OpenFile)
        case site(any WebContent)
    }

    // A read of NIO has at most as many bytes.
    /// The length from which bytes are given on, in bytes.
    private static let pieceLength = 64 * 1024
    let destination: Destination
    /// The maximum length, in bytes.
    let limit: UInt64
    /// How long the client may send nothing; nil if only the time of the whole request is limited.
    let stallTime: Duration?
    /// The length so far.
    private(set) var length: UInt64 = 0
    private var collected = ByteBuffer()
    private var writtenLength: UInt64 = 0

    init(_ destination: Destination, limit: UInt64, stallTime: Duration?) {
        (self.destination, self.limit, self.stallTime) = (destination, limit, stallTime)
    }

    /// Adds bytes.
    ///
    /// - Throws: ``WebRefusal`` if they are too many, or the site does not want them.
    mutating func add(_ bytes: ByteBuffer) async throws {
        let count = UInt64(bytes.readableBytes)
        guard count <= limit - length else { throw WebRefusal(.tooLong) }
        length += count
        if collected.readableBytes == 0, bytes.readableBytes >= Self.pieceLength { return try await write(bytes) }
        collected.writeImmutableBuffer(bytes)
        if collected.readableBytes >= Self.pieceLength { try await finish() }
    }

    /// Gives on the bytes that are collected.
    mutating func finish() async throws {
        guard collected.readableBytes > 0 else { return }
        try await write(collected)
        collected.clear()
    }

    private mutating func write(_ bytes: ByteBuffer) async throws {
        let (destination, position) = (destination, writtenLength)
        try await NIOThreadPool.singleton.runIfActive {
            try bytes.withUnsafeReadableBytes { bytes in
                switch destination {
                case .file(let file): try file.write(bytes, at: position)
                case .site(let content): try Self.give(bytes, to: content)
                }
            }
        }
        writtenLength += UInt64(bytes.readableBytes)
    }

    /// Gives bytes to the site, and makes an answer of its error.
    private static func give(_ bytes: UnsafeRawBufferPointer, to content: any WebContent) throws {
        do {
            try content.write(bytes)
        } catch let refusal as WebRefusal {
            throw refusal
        } catch {
            throw WebRefusal([ENOSPC, EDQUOT].contains((error as? SystemError)?.number) ? .noSpace : .failed)
        }
    }
}

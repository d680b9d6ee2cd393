import Glibc
internal import NIOCore
internal import PeerStorage
internal import Synchronization

/// An open file that is the content of an answer, and must not change while it is sent.
package final class WebFile: Sendable {
    /// What happens to the bytes of an answer.
    package enum Event: Hashable, Sendable {
        /// All bytes before this position of the content were given to the network.
        case sent(UInt64)
        /// The answer has ended; whether all of its bytes were sent.
        case ended(isComplete: Bool)
    }

    /// Lets the answer with a file wait for others.
    package protocol Pace: Sendable {
        /// The longest step that may be sent now, in bytes.
        var stepLimit: Int { get }

        /// Waits until a step may be sent; `left` are the bytes of the whole file that this answer has not sent, with the step.
        func wait(_ bytes: Int, left: UInt64) async

        /// The answer has ended, complete or not.
        func leave()
    }

    /// The name under which a browser saves it; nil for a part of a page.
    package let name: String?
    /// Where the content begins in the open file.
    package let start: UInt64
    /// The size of the content, in bytes.
    package let size: UInt64
    /// The text that differs from that of any other content at the same path (RFC 9110, section 8.8.3), without
    /// quotation marks.
    package let entityTag: String
    let handle: NIOFileHandle
    /// Lets the answer wait for others; nil if it does not wait.
    let pace: (any Pace)?
    private let observer: @Sendable (Event) -> Void
    private let isRunning = Atomic(false)

    /// Creates the content of one answer, which closes the descriptor.
    package init(
        taking descriptor: CInt,
        name: String? = nil,
        start: UInt64 = 0,
        size: UInt64,
        entityTag: String,
        pace: (any Pace)? = nil,
        observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        self.name = name
        self.start = start
        self.size = size
        self.entityTag = entityTag
        self.pace = pace
        self.observer = observer
    }

    deinit {
        // NIO drops bytes without an error if they reach a channel that was closed in the meantime. So only the release
        // of this object proves that no more bytes are sent.
        tellEnd(isComplete: false)
        try? handle.close()
    }

    /// Reads bytes of the open file, at most a step of an answer.
    ///
    /// - Throws: ``SystemError`` if they cannot be read, or the file has become shorter.
    func read(_ range: Range<UInt64>) throws -> ByteBuffer {
        try handle.withUnsafeFileDescriptor { descriptor in
            var bytes = ByteBuffer()
            let length = Int(clamping: range.upperBound - range.lowerBound)
            var failure: CInt?
            bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { buffer in
                var done = 0
                while done < length {
                    let position = off_t(clamping: range.lowerBound) + off_t(done)
                    let count = pread(descriptor, buffer.baseAddress?.advanced(by: done), length - done, position)
                    guard count < 0, errno == EINTR else {
                        guard count > 0 else {
                            failure = count < 0 ? errno : EIO
                            return done
                        }
                        done += count
                        continue
                    }
                }
                return done
            }
            if let failure { throw SystemError(number: failure) }
            return bytes
        }
    }

    /// Notes that an answer with this file has begun, so that its end is reported.
    func begin() { isRunning.store(true, ordering: .relaxed) }

    /// Tells that all bytes before a position were given to the network.
    func tell(sent position: UInt64) { observer(.sent(position)) }

    /// Tells that the answer has ended, once, and only if it has begun.
    func tellEnd(isComplete: Bool) {
        guard isRunning.exchange(false, ordering: .relaxed) else { return }
        pace?.leave()
        observer(.ended(isComplete: isComplete))
    }
}

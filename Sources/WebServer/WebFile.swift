internal import NIOCore
internal import Synchronization

/// An open file that is the content of an answer.
///
/// The file must not change while it is sent.
package final class WebFile: Sendable {
    /// What happens to the bytes of an answer.
    package enum Event: Hashable, Sendable {
        /// All bytes before this position of the content were given to the network.
        case sent(UInt64)
        /// The answer has ended; whether all of its bytes were sent.
        case ended(isComplete: Bool)
    }

    /// The name under which a browser saves it; nil for a part of a page.
    package let name: String?
    /// The media type.
    package let contentType: String
    /// Where the content begins in the open file.
    package let start: UInt64
    /// The size of the content, in bytes.
    package let size: UInt64
    /// The value of the field `Content-Encoding`; nil for none.
    package let encoding: String?
    /// The text that differs from that of any other content at the same path (RFC 9110, section 8.8.3), without
    /// quotation marks.
    package let entityTag: String

    let handle: NIOFileHandle
    /// Lets the answer wait for others; nil if it waits for nobody.
    let pace: (any WebPace)?
    private let observer: @Sendable (Event) -> Void
    private let isRunning = Atomic(false)

    /// Creates the content of one answer.
    ///
    /// - Parameters:
    ///   - descriptor: The open file, which is closed with this object.
    ///   - name: The name under which a browser saves it; nil for a part of a page.
    ///   - contentType: The media type.
    ///   - start: Where the content begins in the open file.
    ///   - size: The size of the content, in bytes.
    ///   - encoding: The value of the field `Content-Encoding`; nil for none.
    ///   - entityTag: What tells this content from any other of the same path.
    ///   - pace: Lets the answer wait for others; nil if it waits for nobody.
    ///   - observer: Receives the events of the answer.
    package init(
        taking descriptor: CInt,
        name: String?,
        contentType: String,
        start: UInt64 = 0,
        size: UInt64,
        encoding: String? = nil,
        entityTag: String,
        pace: (any WebPace)? = nil,
        observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
        self.name = name
        self.contentType = contentType
        self.start = start
        self.size = size
        self.encoding = encoding
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

    /// Notes that an answer with this file has begun, so that its end is reported.
    func begin() {
        isRunning.store(true, ordering: .relaxed)
    }

    /// Tells that all bytes before a position were given to the network.
    func tell(sent position: UInt64) {
        observer(.sent(position))
    }

    /// Tells that the answer has ended, once, and only if it has begun.
    func tellEnd(isComplete: Bool) {
        guard isRunning.exchange(false, ordering: .relaxed) else { return }
        pace?.leave()
        observer(.ended(isComplete: isComplete))
    }
}

extension WebFile: Hashable {
    /// Whether two values are the same object.
    package static func == (left: WebFile, right: WebFile) -> Bool { left === right }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

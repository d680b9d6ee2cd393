import PeerCore
import PeerStorage

/// The progress of a resource.
///
/// See <doc:SendingFiles> for an example.
public struct ResourceProgress: Hashable, Sendable {
    /// The current step.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Step: Hashable, Sendable {
        /// This side computes the digests of the resource that it offers.
        case hashing
        /// The other side has not answered the offer yet, or the connection is being made.
        case waiting
        /// Bytes are being transferred.
        case transferring
        /// The receiver makes the complete resource durable.
        case finishing
    }

    /// The current step.
    public var step: Step
    /// The number of bytes that the receiver has; 0 until bytes are transferred.
    public var bytes: UInt64
    /// The size of the resource, in bytes.
    public var size: UInt64
    /// The rate over the last three seconds, in bytes per second; 0 while it is unknown.
    public var bytesPerSecond = 0.0
    /// The estimated remaining time; nil while it is unknown.
    public var timeLeft: Duration?

    /// The fraction of all bytes that the receiver has, from 0 to 1.
    public var fraction: Double { size == 0 ? 1 : min(1, Double(bytes) / Double(size)) }

    init(step: Step, bytes: UInt64, size: UInt64) {
        self.step = step
        self.bytes = bytes
        self.size = size
    }
}

/// The latest progress of a resource; ends when the transfer of the resource has ended.
///
/// See <doc:SendingFiles> for an example.
public struct ResourceProgressUpdates: AsyncSequence, Sendable {
    /// The progress at one moment.
    public typealias Element = ResourceProgress
    /// Reading does not fail.
    public typealias Failure = Never

    let stream: AsyncStream<ResourceProgress>

    /// Creates an iterator.
    public func makeAsyncIterator() -> AsyncStream<ResourceProgress>.Iterator { stream.makeAsyncIterator() }
}

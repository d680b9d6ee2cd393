/// How far a resource is.
///
/// See <doc:SendingFiles> for an example.
public struct ResourceProgress: Hashable, Sendable {
    /// What is being done.
    public enum Step: Hashable, Sendable {
        /// This side computes the digests of what it offers.
        case hashing
        /// The other side has not said yet whether it wants it, or the connection is being made.
        case waiting
        /// Bytes are on the way.
        case transferring
        /// The receiver makes it durable.
        case finishing
    }

    /// What is being done.
    public var step: Step
    /// The number of bytes that the receiver has; 0 until bytes are on the way.
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

/// The progress of a resource, the latest only; ends when the resource is done with.
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

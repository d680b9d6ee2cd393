public import PeerProtocol

/// The progress of a transfer.
public struct TransferProgress: Hashable, Sendable {
    /// The kind of the resource that is being transferred.
    public var kind: ResourceKind
    /// The number of bytes of that resource that the receiver has.
    public var resourceBytes: UInt64
    /// The size of that resource, in bytes.
    public var resourceSize: UInt64
    /// The number of bytes of all accepted resources that the receiver has.
    public var bytes: UInt64
    /// The size of all accepted resources, in bytes.
    public var size: UInt64
    /// The rate over the last three seconds, in bytes per second; 0 while it is unknown.
    public var bytesPerSecond: Double
    /// The estimated remaining time; nil while it is unknown.
    public var timeLeft: Duration?

    /// The fraction of all bytes that the receiver has, from 0 to 1.
    public var fraction: Double { size == 0 ? 1 : min(1, Double(bytes) / Double(size)) }
}

public import PeerProtocol

/// Where a receiver puts what it is given.
///
/// Methods but ``understands(_:)`` may block; they are called on threads that may. An error that one of them throws
/// ends the transfer and its message reaches the other side, if it is a ``ReportableError``.
public protocol ResourceSink: Sendable {
    /// Says whether a kind is understood here; a sender's person is told which are not. Without an implementation, all
    /// are.
    func understands(_ kind: ResourceKind) -> Bool

    /// Checks an offer before anybody is asked about it. Writes nothing.
    ///
    /// - Throws: If the offer cannot be taken: it lies, it does not fit on the disk, it is not understood.
    func examine(_ manifest: Manifest) throws

    /// Makes room for a transfer that was agreed to.
    ///
    /// - Parameters:
    ///   - manifest: What is offered; it was examined.
    ///   - kinds: The kinds that are wanted, of those in the manifest.
    /// - Returns: The transfer, to be fed.
    /// - Throws: If there is no room.
    func begin(_ manifest: Manifest, accepting kinds: Set<ResourceKind>) throws -> any IncomingTransfer
}

extension ResourceSink {
    /// Returns true.
    public func understands(_ kind: ResourceKind) -> Bool { true }
}

public import PeerProtocol

/// The storage of a receiver.
///
/// All methods except ``understands(_:)`` may block. An error that a method throws ends the transfer. The message of a
/// ``ReportableError`` is sent to the other side.
public protocol ResourceSink: Sendable {
    /// Returns whether this receiver supports a kind of resource.
    ///
    /// The sender shows unsupported kinds to its person. The default implementation returns true.
    func understands(_ kind: ResourceKind) -> Bool

    /// Checks an offer before a person sees it. Writes nothing.
    ///
    /// - Throws: An error if the offer must be rejected: it is invalid, unsupported, or too large for the disk.
    func examine(_ manifest: Manifest) throws

    /// Prepares the storage of an accepted transfer.
    ///
    /// - Parameters:
    ///   - manifest: The offer, which ``examine(_:)`` has checked.
    ///   - kinds: The accepted kinds of the manifest.
    /// - Returns: The storage of the transfer.
    /// - Throws: An error if the transfer cannot begin, for instance because the disk is full.
    func begin(_ manifest: Manifest, accepting kinds: Set<ResourceKind>) throws -> any IncomingTransfer
}

extension ResourceSink {
    /// Returns true.
    public func understands(_ kind: ResourceKind) -> Bool { true }
}

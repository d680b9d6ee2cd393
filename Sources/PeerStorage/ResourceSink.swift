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

    /// Begins to find out how much of an offer would be transferred, before a person sees the offer.
    ///
    /// Called after ``examine(_:)``. The digests that a survey needs are requested from the sender, which costs round trips.
    /// So return nil if nobody sees the result, or if nothing of the offer is here. The default implementation returns nil.
    ///
    /// - Parameter manifest: The offer.
    /// - Returns: The survey; nil if the whole offer would be transferred, or if that need not be known.
    /// - Throws: An error if existing data cannot be read. The offer is then shown without the number.
    func survey(of manifest: Manifest) throws -> (any OfferSurvey)?

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

    /// Returns nil.
    public func survey(of manifest: Manifest) throws -> (any OfferSurvey)? { nil }
}

/// A service that is being published.
public struct Publication: Sendable {
    /// The events of the service, in order, for one task.
    ///
    /// The stream ends with the publication.
    public let events: AsyncStream<PublicationEvent>

    private let number: UInt64
    private let engine: AvahiEngine

    init(events: AsyncStream<PublicationEvent>, number: UInt64, engine: AvahiEngine) {
        self.events = events
        self.number = number
        self.engine = engine
    }

    /// Replaces the TXT record.
    ///
    /// Browsers on other machines report the service as changed, not as lost and found.
    ///
    /// - Parameter txt: The new record.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/closed`` if the publication has ended.
    public func update(_ txt: TXTRecord) async throws(AvahiError) {
        try await engine.update(txt, ofPublisher: number)
    }
}

/// A change of a published service.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PublicationEvent: Hashable, Sendable {
    /// The service is published under this name.
    case published(name: InstanceName)
    /// The name is in use; the service gets this name instead.
    case renamed(InstanceName)
    /// The service is not published until the daemon or the host name is available again.
    case withdrawn
    /// Publishing failed; it is retried.
    case failed(AvahiError)
}

/// A service that is being published.
public struct Publication: Sendable {
    /// What happens to the service, in order; one task may read it.
    ///
    /// It ends with the scope of the publication.
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
    /// Those who found the service see it change; it is not lost in between.
    ///
    /// Throws ``AvahiError/Code/closed`` if the scope has ended.
    public func update(_ txt: TXTRecord) async throws(AvahiError) {
        try await engine.update(txt, ofPublisher: number)
    }
}

/// A service that is published, or will be as soon as the daemon runs.
struct Publisher {
    var announcement: ServiceAnnouncement
    let events: AsyncStream<PublicationEvent>.Continuation
    /// The published name, which differs from the requested one after a collision.
    var name: InstanceName
    var group: EntryGroupHandle?
    var groupNumber: UInt64 = 0
    var isEstablished = false
    var retrying = Backoff(first: .seconds(1), limit: .seconds(30))
    /// How long a group can take to be established; probing takes about a second.
    var patience = Backoff(first: .seconds(4), limit: .seconds(60))

    init(_ announcement: ServiceAnnouncement, events: AsyncStream<PublicationEvent>.Continuation) {
        self.announcement = announcement
        self.events = events
        self.name = announcement.name
    }
}

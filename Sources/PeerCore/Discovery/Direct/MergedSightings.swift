package import Avahi
import NIOConcurrencyHelpers

/// What Avahi sees and what answers directly, for one reader, which may be slow.
struct MergedSightings: Sendable {
    private let changes = LatestChanges<PeerSighting.Event>()
    private let merge = NIOLockedValueBox(SightingMerge())

    /// The events.
    var stream: AsyncStream<PeerSighting.Event> { changes.stream() }

    /// Takes what Avahi reports.
    func avahi(_ event: PeerSighting.Event) { change { $0.avahi(event) } }

    /// Takes what a direct answer shows.
    func answered(_ sighting: PeerSighting) { change { $0.answered(sighting) } }

    /// Begins the next question.
    func ask() { change { $0.ask() } }

    /// Whether to continue asking over an interface.
    func isNeeded(over interface: String) -> Bool { merge.withLockedValue { $0.isNeeded(over: interface) } }

    /// Whether a machine has not answered the last question.
    var missesAnybody: Bool { merge.withLockedValue { $0.missesAnybody } }

    /// Ends the events.
    func finish() { changes.finish() }

    private func change(_ body: (inout SightingMerge) -> [PeerSighting.Event]) {
        // With the lock held, so that the events have the order of the changes.
        merge.withLockedValue { merge in
            for event in body(&merge) { changes.add(event) }
        }
    }
}

extension PeerSighting.Event: LatestChange {
    package var subject: SearchSubject<String> {
        switch self {
        case .seen(let sighting): .thing(sighting.key)
        case .lost(let key): .thing(key)
        case .allForNow: .start
        case .failed: .search
        }
    }

    // Whether a sighting is new is not known, and it must not go unread when it is lost.
    package var kind: ChangeKind {
        switch self {
        case .seen: .changed
        case .lost: .lost
        case .allForNow, .failed: .word
        }
    }

    package var asFound: Self { self }
}

import NIOConcurrencyHelpers
import PeerTesting

/// What happens in a simulated world, and when, in order.
final class Recording: Sendable {
    /// Something that happened.
    struct Entry: Sendable {
        /// Milliseconds since the beginning.
        var time: Int
        var event: Event
    }

    enum Event: Hashable, Sendable {
        case started(Run)
        case killed(Run)
        case left(Run)
        /// Only machines of one group reach one another; all others are one more group.
        case separated([[Int]])
        /// Everybody reaches everybody.
        case healed
        /// All connections between two machines end.
        case cut(Int, Int)
        /// A run sees a machine connected, or not any more.
        case saw(Run, Int, isConnected: Bool, isRestored: Bool)
        /// A run sends a message.
        case sent(Ledger.Series, Int)
        /// A run has read a message.
        case heard(Ledger.Series, Int, by: Run)
        case offered(Flow, to: Int)
        /// A resource was received, or both sides know that it is not.
        case settled(Flow, isReceived: Bool)
    }

    private let clock: ManualClock
    private let box = NIOLockedValueBox<[Entry]>([])

    init(_ clock: ManualClock) { self.clock = clock }

    var entries: [Entry] { box.withLockedValue { $0 } }

    func add(_ event: Event) {
        let time = Int(clock.elapsed / .milliseconds(1))
        box.withLockedValue { $0.append(Entry(time: time, event: event)) }
    }
}

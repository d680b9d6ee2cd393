/// What another machine sees of this one, as it says itself: of the address of this machine from which it was asked.
///
/// Nothing proves it; any machine in the network can say anything.
package struct PeerView: Hashable, Sendable {
    /// What has become of the connections of this machine to the port there.
    package enum Arrivals: String, Hashable, Comparable, Sendable, CaseIterable {
        /// None has arrived; or those that did are closed, or this machine could not be answered (``Back/kept``).
        case none
        /// Requests to connect have arrived there within the last 15 s, and nothing has acknowledged the answers.
        case halfOpen
        /// A connection is, or was just, open there.
        case accepted

        package static func < (one: Self, other: Self) -> Bool {
            one != other && other != .none && one != .accepted
        }
    }

    /// The outcome of a connection from there to this machine.
    package enum Back: String, Hashable, Sendable {
        /// This machine accepted it or refused it; either proves that packets pass in both directions.
        case reached
        /// There was no answer in time.
        case silent
        /// Its request did not leave the other machine: something there keeps it back.
        case kept
        /// The other machine has no route to this one.
        case noRoute
    }

    /// What has become of the connections of this machine.
    package var arrivals: Arrivals
    /// The outcome of a connection from there; nil if it was not tried.
    package var back: Back?
    /// The hardware address of the interface that heard the question; empty if it has none.
    package var hardwareAddress: [UInt8] = []
}

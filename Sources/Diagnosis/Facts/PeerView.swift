/// What another machine says of the packets of this one.
package struct PeerView: Hashable, Sendable {
    /// What has arrived there.
    package enum Arrivals: String, Hashable, Sendable {
        /// No packet to the port.
        case none
        /// Packets to the port; what the other machine answers does not arrive here.
        case halfOpen
        /// A whole connection.
        case accepted
    }

    /// What came of a connection from there to this machine.
    package enum Back: String, Hashable, Sendable {
        /// This machine was reached.
        case reached
        /// Nothing came back.
        case silent
        /// Something on the other machine kept the packets back.
        case kept
        /// The other machine has no way to this one.
        case noRoute
    }

    /// What has arrived there.
    package var arrivals: Arrivals
    /// What came of a connection from there.
    package var back: Back
    /// The hardware address of the other machine; empty if it is not known.
    package var hardwareAddress: [UInt8]

    package init(arrivals: Arrivals, back: Back, hardwareAddress: [UInt8] = []) {
        (self.arrivals, self.back, self.hardwareAddress) = (arrivals, back, hardwareAddress)
    }
}

/// What a dialer says to become linked with a peer that has to agree.
package struct Invite: Hashable, Sendable {
    /// How many connections between the two programs have carried a link, as far as the sender knows.
    package var connectionCount: UInt32
    /// Which wish of the dialer this is.
    ///
    /// Every attempt for one wish has the same number, so the listener gives all of them the same answer.
    package var wish: UInt64

    /// Creates an invitation.
    package init(connectionCount: UInt32, wish: UInt64) {
        self.connectionCount = connectionCount
        self.wish = wish
    }
}

/// What makes a connection carry a link: said by the dialer first, then by the listener in answer.
package struct Link: Hashable, Sendable {
    /// Which link between the two programs is meant, from 1.
    package var epoch: UInt32
    /// How many connections have carried a link.
    ///
    /// The answer includes this connection.
    package var connectionCount: UInt32

    /// Creates a request for a link, or the answer to one.
    package init(epoch: UInt32, connectionCount: UInt32) {
        self.epoch = epoch
        self.connectionCount = connectionCount
    }
}

/// Why a connection does not carry a link.
package enum Decline: Hashable, Sendable {
    /// The frame is stale: another connection carries the link, or soon will. The epoch is that of the link, or 0.
    case crossed(connectionCount: UInt32, epoch: UInt32)
    /// The link has ended. The epoch is that of the last one.
    case over(connectionCount: UInt32, epoch: UInt32)
    /// A newer program with the same key has taken the place of the one that hears this.
    case replaced
    /// The application, or a person, said no.
    case refused
}

/// A connection between this machine and the peer, by the side that dialed.
package enum MeetingConnection: Hashable, Sendable {
    /// This side dialed. The machine counts its dials from 1.
    case outgoing(UInt64)
    /// The peer dialed. The driver picks the number, and never the same one twice.
    case incoming(UInt64)
}

extension MeetingStateMachine {
    /// The link between two programs.
    package struct CurrentLink: Hashable, Sendable {
        /// Which link of the two programs it is, from 1.
        package var epoch: UInt32
        /// The connection that carries the link; nil while the link is being resumed.
        package var connection: MeetingConnection?
        /// Whether a connection carried the link at this side.
        ///
        /// Only then has the application heard of the link.
        package var wasConnected: Bool
    }
}

extension MeetingStateMachine {
    /// What this side wants of the peer until there is a link.
    package struct Wish: Hashable, Sendable {
        /// Counts the wishes from 1.
        package var number: UInt64
        /// Whether the peer was introduced by another one, and expects the link without an invitation.
        package var isIntroduced: Bool
        /// Whether the peer is invited if it does not give the link without.
        package var isInvitation: Bool
    }

    /// The connection that this side dials.
    package struct Outgoing: Hashable, Sendable {
        /// What has happened on the connection.
        package enum Stage: Hashable, Sendable {
            /// There is no connection yet, or the peer's hello has not come.
            case dialing
            /// The program at the other side is another one than before, and has to show that it is alive.
            case testing(Incarnation)
            /// The invitation was sent.
            case inviting
            /// A request for the link with this epoch was sent.
            case linking(epoch: UInt32)
        }

        /// Which connection it is.
        package let connection: MeetingConnection
        /// What has happened on it.
        package internal(set) var stage: Stage
    }

    /// The connection that the peer dialed, which does not carry a link yet.
    package struct Incoming: Hashable, Sendable {
        /// What has happened on the connection.
        package enum Stage: Hashable, Sendable {
            /// The application was asked.
            case asking
            /// The invitation waits for the end of this side's own attempt.
            case parkedInvite(Invite)
            /// The request for a link waits for the end of this side's own attempt.
            case parkedLink(Link)
            /// The invitation was accepted.
            case accepted
        }

        /// Which connection it is.
        package let connection: MeetingConnection
        /// What has happened on it.
        package internal(set) var stage: Stage
    }

    /// A connection of a program that is unknown, while another program of the peer is known.
    package struct Newcomer: Hashable, Sendable {
        enum Request: Hashable, Sendable {
            case invite(Invite)
            case link(Link, isMember: Bool)
        }

        /// Which connection it is.
        package let connection: MeetingConnection
        let incarnation: Incarnation
        let request: Request
    }

    /// What the application was asked about the peer's last wish.
    package struct Question: Hashable, Sendable {
        /// The number of the wish.
        package let wish: UInt64
        /// What the application said; nil until then.
        package internal(set) var answer: Bool?
    }
}

/// What a dialer says to become linked with a peer that has to agree.
package struct Invite: Hashable, Sendable {
    /// How many connections between the two programs have carried a link, as far as the sender knows.
    package var connectionCount: UInt32
    /// Which wish of the dialer this is.
    ///
    /// Every attempt for one wish has the same number, so the listener gives all of them the same answer.
    package var wish: UInt64

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

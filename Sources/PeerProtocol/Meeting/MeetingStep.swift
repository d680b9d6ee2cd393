/// What the driver has to do about an event: close connections, then report the end of a link, then act.
package struct MeetingStep: Hashable, Sendable {
    /// A connection to close.
    package struct Closing: Hashable, Sendable {
        /// Which connection.
        package let connection: MeetingConnection
        /// What is sent before the connection closes.
        package let lastWord: LastWord?
    }

    /// What is sent before a connection closes.
    package enum LastWord: Hashable, Sendable {
        /// A reason that peers expect.
        case decline(Decline)
        /// The peer broke the protocol.
        case violation(ProtocolError.Code)
    }

    /// The connections to close.
    ///
    /// A dial that has not succeeded yet is cancelled.
    package internal(set) var closings: [Closing] = []
    /// Whether a link ended that the application knew.
    package internal(set) var endsLink = false
    /// What to do afterwards.
    package internal(set) var action: Action = .none

    /// Creates a step that asks for nothing.
    package init() {}

    mutating func close(_ connection: MeetingConnection, _ lastWord: LastWord? = nil) {
        closings.append(Closing(connection: connection, lastWord: lastWord))
    }
}

extension MeetingStep {
    /// What the driver has to do after it has closed connections.
    ///
    /// All events share these actions: almost any event can end an attempt, and then the next one begins.
    package enum Action: Hashable, Sendable {
        /// Dial the peer. With `yields`, wait 1 s first: the peer is dialing too, and its connection is the one that counts.
        case dial(MeetingConnection, yields: Bool)
        /// Send a ping, and report the answer with ``MeetingStateMachine/receivedPong(_:)``.
        case sendPing(MeetingConnection)
        /// Invite the peer.
        case sendInvite(Invite, MeetingConnection)
        /// Ask the peer for a link.
        case sendLink(Link, MeetingConnection)
        /// Ask the application whether the peer's invitation is welcome.
        case ask(MeetingConnection)
        /// Accept the peer's invitation.
        case sendAccept(MeetingConnection)
        /// The connection carries the link now, and the wish is fulfilled. The listener sends the answer first.
        case establish(MeetingConnection, answer: Link?)
        /// The wish has failed.
        case fail(Decline)
        /// The wish is fulfilled already.
        case reportLinked
        /// Nothing.
        case none
    }
}

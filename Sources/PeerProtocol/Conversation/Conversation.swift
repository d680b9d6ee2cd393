/// The values of ``ConversationStateMachine``: what happens on one connection, and what to do about it.
package enum Conversation {
    /// Which side of a connection this is.
    package enum Side: String, Hashable, Sendable, Codable {
        /// It has opened the connection.
        case dialer
        /// It has accepted the connection.
        case listener

        /// Reads a side from its name.
        package init(from decoder: any Decoder) throws {
            guard let side = try Conversation.Side(shortNameFrom: decoder) else {
                throw DecodingError.unknownName(decoder)
            }
            self = side
        }
    }

    /// What a side wants of connections.
    package enum Purpose: Hashable, Sendable {
        /// The dialer receives what the listener offers.
        case transfer
        /// Messages, requests, streams and resources over a link.
        case session
        /// A resource of a session, for which no person is asked. The dialer presents this claim.
        case resource(ResourceNotice)
    }

    /// What a connection carries in the end.
    package enum Use: Hashable, Sendable {
        /// A transfer, from its manifest on.
        case transfer
        /// A link between two sessions.
        case link
        /// A resource of a session.
        case attachment
        /// Data of a transfer of another connection.
        case lane
    }

    /// How long each step of a conversation may take. (Wire format, "Timers".)
    package struct Times: Hashable, Sendable {
        /// Until the connection is encrypted, or both sides agree on plain text.
        package var securing: Duration
        /// For the peer's hello; for finding out whether the peer is known; for a test of the connection; for the answer to `link`.
        package var handshake: Duration
        /// For the first frame that says what the connection is for.
        package var waiting: Duration
        /// For the two frames of a pairing, in which no person is involved.
        package var pairing: Duration
        /// The longest time that an invitation may ask for.
        package var longestInvitation: Duration
        /// The time between two signs of life.
        package var keepAlive: Duration
        /// How long the peer may be silent.
        ///
        /// A dialer waits this much longer than the listener for the answer to an invitation.
        package var silence: Duration

        package init(
            securing: Duration,
            handshake: Duration,
            waiting: Duration,
            pairing: Duration,
            longestInvitation: Duration,
            keepAlive: Duration,
            silence: Duration
        ) {
            self.securing = securing
            self.handshake = handshake
            self.waiting = waiting
            self.pairing = pairing
            self.longestInvitation = longestInvitation
            self.keepAlive = keepAlive
            self.silence = silence
        }
    }

    /// What is known of a peer's identity.
    package enum Trust: Hashable, Sendable {
        /// No person has confirmed it.
        case unknown
        /// A person has confirmed it.
        case trusted
        /// It has the name of a trusted peer, and another key.
        case impostor
    }

    /// A question to this side, which ``ConversationStateMachine`` waits for.
    package enum Question: Hashable, Sendable {
        /// Whether the peer is trusted, for ``ConversationStateMachine/trustAnswered(_:at:)``.
        case trust
        /// Whether the application lets the peer continue, for ``ConversationStateMachine/answered(_:to:at:)``.
        case peer
        /// Whether the token is right, for ``ConversationStateMachine/answered(_:to:at:)``.
        case token(ShareToken)
        /// Whether the peer's address may pair now, and there is a slot for the invitation, likewise.
        case pairing(isStranger: Bool)
        /// Whether there is a slot for an invitation without digits, likewise.
        case slot(isStranger: Bool)
        /// Whether there is a slot for a transfer, likewise.
        case transfer(byPerson: Bool)
        /// Makes the peer trusted, likewise.
        case pin
    }

    /// What the owner of a conversation learns.
    package enum Event: Equatable, Sendable {
        /// The connection is open; nil in plain text.
        case opened(PeerID?)
        /// The peer is known and may continue. Now a dialer says what it wants.
        case connected
        /// Find out with a ping whether the peer is alive, for ``ConversationStateMachine/tested(isAlive:at:)``.
        case test
        /// The peer invites to a session; the owner calls ``ConversationStateMachine/consider(isMember:takesAnyone:)`` or declines.
        case invited(InvitationRequest)
        /// People can compare these digits.
        case digits(PairingDigits)
        /// Ask whether the invitation is welcome, and whether the digits are the same, if there are any.
        case ask(PairingDigits?)
        /// The invitation is accepted: by the peer, or by this side, once the peer has been told.
        case accepted
        /// The peer asks for a link, or answers.
        case link(LinkTerms)
        /// The peer was not introduced in time.
        case notIntroduced
        /// The peer of a transfer was silent for too long.
        case silent
        /// The connection is a lane, if this secret is right.
        case join(ConnectionSecret)
        /// The connection carries a resource, if this secret is right.
        case attach(ConnectionSecret)
        /// A frame for what the connection carries.
        case frame(Frame)
        /// The conversation is over. Its last word, if it has one, was said.
        case ended(Conversation.End)
    }

    /// What to do about an event of a conversation, in order.
    package enum Action: Equatable, Sendable {
        /// Send a frame.
        case send(Frame)
        /// Allow the peer to send long frames.
        case awaitLongFrames
        /// Send a sign of life.
        case ping
        /// Get an answer before the peer's next frame is looked at.
        case ask(Conversation.Question)
        /// Tell the owner.
        case tell(Conversation.Event)
        /// Refuse the peer because of the identity that it claims; the driver has the error message.
        case refuseIdentity
        /// A step took too long; the driver has the error message, and calls ``ConversationStateMachine/fail(_:)``.
        case expire(Conversation.Deadline)
        /// Count a failed pairing.
        case countFailedPairing
        /// Close the connection when the peer has closed it, or after a moment.
        case finish
        /// Close the connection at once.
        case abort
    }

    /// A step that has a deadline.
    package enum Deadline: Hashable, Sendable {
        /// The connection is encrypted, or both sides agree on plain text.
        case securing
        /// The peer's hello.
        case greeting
        /// What comes between the hello and the first word about what the connection carries.
        case settingUp
        /// The first frame that says what the connection is for.
        case waiting
        /// The next frame of the pairing.
        case pairing
        /// The answer to this side's invitation.
        case invitation
        /// The request for a link, or the answer to it.
        case link
        /// A member introduces the peer that asks for a link.
        case introduction
    }

    /// How a conversation ended, or the transfer that followed it.
    package enum End: Equatable, Sendable {
        /// The receiver has committed everything and the sender knows.
        case completed(Acknowledgement)
        /// The other side said no.
        case declinedByPeer(Refusal)
        /// This side said no.
        case declined(Refusal)
        /// A person at the other side stopped it.
        case cancelledByPeer(Cancellation)
        /// A person at this side stopped it.
        case cancelled(Cancellation)
        /// The other side failed.
        case failedByPeer(Failure)
        /// This side failed.
        case failed(Failure)
        /// The peer broke the protocol.
        case violated(ProtocolError)
        /// The connection ended before the transfer did.
        case connectionLost
    }
}

extension ProtocolError {
    /// A frame came that may not come now.
    package static func unexpected(_ type: FrameType) -> ProtocolError {
        ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }
}

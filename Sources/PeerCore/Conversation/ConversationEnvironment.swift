package import PeerProtocol
package import PeerStorage

/// Who answers the questions of a conversation at this side.
package struct ConversationEnvironment: Sendable {
    /// The slot of a connection at its listener.
    package struct Slot: Sendable {
        /// Decides which peers are admitted.
        package var admission: Admission
        /// The number under which it knows the connection.
        package var number: Int

        package init(_ admission: Admission, _ number: Int) {
            self.admission = admission
            self.number = number
        }
    }

    /// The slot at the listener; nil for a connection that this side has dialed.
    package var slot: Slot?
    /// The counter of a receiver's failed pairings; nil if they are not counted.
    var pairingFailures: AddressLockout.Shared?
    /// Tells the time.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// Says whether a peer with this id and this name is trusted.
    ///
    /// ``ConversationEnvironment/Stopped`` ends the conversation and tells the peer nothing; any other error is reported to the
    /// peer.
    package var trust: @Sendable (PeerID, _ name: String) async throws -> PeerTrust
    /// Says why the application refuses a peer; nil if it accepts the peer.
    ///
    /// An error has the same effect as one of ``trust``.
    package var check: @Sendable (RemotePeer, Hello) async throws -> Refusal?
    /// Makes a peer trusted.
    package var pin: @Sendable (RemotePeer) async throws -> Void
    /// Declines the invitation because its slot is needed; called at most once, on any thread.
    var giveUpInvitation: @Sendable () -> Void = {}
    /// Ends the transfer because its slot is needed; called at most once, on any thread.
    var giveUpTransfer: @Sendable () -> Void = {}

    package init(
        slot: Slot? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        trust: @escaping @Sendable (PeerID, _ name: String) async throws -> PeerTrust,
        check: @escaping @Sendable (RemotePeer, Hello) async throws -> Refusal? = { _, _ in nil },
        pin: @escaping @Sendable (RemotePeer) async throws -> Void
    ) {
        self.slot = slot
        self.now = now
        self.trust = trust
        self.check = check
        self.pin = pin
    }
}

extension ConversationEnvironment {
    /// The error of an answer that this side no longer needs, because it is ending.
    package struct Stopped: Error {
        package init() {}
    }
}

extension Conversation.Times {
    /// The times of a configuration.
    package init(_ configuration: ConnectionConfiguration, longestInvitation: Duration? = nil) {
        self.init(
            securing: configuration.securingTimeout,
            handshake: configuration.handshakeTimeout,
            waiting: configuration.manifestTimeout,
            pairing: configuration.pairingTimeout,
            longestInvitation: longestInvitation ?? .seconds(configuration.limits.maximumInvitationTimeout),
            keepAlive: configuration.keepAliveInterval,
            silence: configuration.silenceTimeout
        )
    }
}

extension Conversation.Trust {
    init(_ trust: PeerTrust) {
        switch trust {
        case .unknown: self = .unknown
        case .trusted, .known: self = .trusted
        case .impostor: self = .impostor
        }
    }
}

import PeerCore
import PeerProtocol

/// The errors of sessions.
extension PeerError {
    static let taskCancelled = PeerError(.cancelled, "The task was cancelled.")

    static let notConnected = PeerError(
        .notConnected,
        "This machine is not connected to the peer.",
        remedy: "Wait until the peer is connected, or invite it."
    )

    static let sessionEnded = PeerError(
        .notConnected,
        "The session has ended.",
        remedy: "Use the session only inside its body, and before it leaves."
    )

    static let invitesItself = PeerError(
        .invalidArgument,
        "This machine cannot invite itself.",
        remedy: "Use the address or the link of another machine."
    )

    static let noAddress = PeerError(
        .cannotConnect,
        "No address of the peer is known.",
        remedy: "Wait until discovery finds the peer again."
    )

    static let noAddressNearby = PeerError(
        .cannotConnect,
        "The peer has no address on a network of this machine.",
        remedy: "Join the same network, or use the peer's link."
    )

    static let pairingBroke = PeerError(
        .notTrusted,
        "The other side stopped the comparison of digits three times.",
        remedy: "Ask the person at the other machine, then invite the peer again."
    )

    /// The error of a connection on which the peer was too slow; the peer can be tried again.
    static let tooSlow = PeerError(
        .connectionLost,
        "The other side did not answer in time, so the connection was closed.",
        remedy: "Move closer together or check the cable."
    )

    static let linkLost = PeerError(
        .connectionLost,
        "The connection to the other side was lost and could not be restored in time.",
        remedy: "Move closer together or check the cable."
    )

    static let outboxFull = PeerError(
        .notConnected,
        "The other side is disconnected, and its outbox is full.",
        remedy: "Send the message again when the peer is connected."
    )

    static let stalled = PeerError(
        .timedOut,
        "The other side is not reading, and its outbox is full.",
        remedy: "Send the message again later."
    )

    static let channelRefused = PeerError(
        .invalidArgument,
        "The peer cannot have more channels.",
        remedy: "Use at most 16 channels."
    )

    static let streamNameNotAllowed = PeerError(
        .invalidArgument,
        "The name of the stream is empty or too long, or its metadata is too long.",
        remedy: "Use a name of 1 to 255 bytes, and at most 4,096 bytes of metadata."
    )

    static let requestWithdrawn = PeerError(.peerCancelled, "The other side no longer waits for the answer.")

    static func messageTooLong(_ length: Int, _ maximum: Int) -> PeerError {
        PeerError(
            .invalidArgument,
            "The message has \(length) bytes; the other side accepts at most \(maximum).",
            remedy: "Send large data as a resource."
        )
    }

    static func readTwice(_ message: String) -> PeerError {
        PeerError(.invalidArgument, message, remedy: "Use a single reader.")
    }

    /// The error of a stream that has ended.
    static func ended(_ end: StreamEnd?) -> PeerError {
        guard let end, end.code != .finished else {
            return PeerError(.peerCancelled, "The stream has ended.")
        }
        return PeerError(.peerCancelled, end.reason.isEmpty ? "The other side ended the stream." : end.reason)
    }

    /// The error of a request that was not answered.
    static func refused(_ end: StreamEnd) -> PeerError {
        switch end.code {
        case .refused: PeerError(.declined, end.reason.isEmpty ? "The other side refused the request." : end.reason)
        case .notTaken: PeerError(.declined, "The other side does not answer requests of this type.")
        case .tooMany: PeerError(.busy, "The other side has too many open requests.", remedy: "Try again in a moment.")
        case .tooLarge: PeerError(.declined, "The answer is too long for a message.")
        case .cancelled, .finished: PeerError(.peerCancelled, "The other side cancelled the request.")
        }
    }

    /// The error of a request whose link ended before its answer came.
    static func unanswered(_ failure: PeerError) -> PeerError {
        PeerError(
            .outcomeUnknown,
            "The connection to the other side was lost before its answer arrived: the request may have been carried out.",
            remedy: "If it is safe to repeat the request, send it again when the peer is connected.",
            cause: failure
        )
    }
}

/// The errors of meetings.
extension PeerError {
    static let closedEarly = PeerError(
        .connectionLost,
        "The other side closed the connection before it introduced itself.",
        remedy: "Try again."
    )

    static let noSessions = PeerError(
        .unsupportedVersion,
        "The program on the other machine offers transfers only, or is too old.",
        remedy: "Update the program on the other machine."
    )

    static let nobodyCompares = PeerError(
        .notTrusted,
        "The other side is unknown, and this application cannot compare digits.",
        remedy: "Use a link, or an application that compares digits."
    )

    static let invitationTimedOut = PeerError(
        .timedOut,
        "The other side did not answer the invitation in time.",
        remedy: "Ask the person at the other machine, then try again."
    )

    static let invitationWithdrawn = PeerError(
        .connectionLost,
        "The peer has disconnected, or the invitation was already answered."
    )

    static let requestTimedOut = PeerError(.timedOut, "The other side did not answer the request in time.")

    static let notFlushed = PeerError(.timedOut, "The other side did not receive everything in time.")

    static let tooManyPeers = PeerError(
        .busy,
        "This machine is already connected to as many peers as it accepts.",
        remedy: "Disconnect a peer first."
    )

    static let dropped = PeerError(
        .notConnected,
        "The message was dropped: the peer is disconnected, or too many messages wait."
    )

    static func discoveryStopped(_ cause: any Error) -> PeerError {
        PeerError(.discoveryUnavailable, "Discovery has stopped.", remedy: "Start Avahi, and try again.", cause: cause)
    }

    /// The error that an impostor is told; it does not name the trusted peer.
    static let identityNotRecognized = PeerError(
        .notTrusted,
        "The other side does not recognize this machine's identity.",
        remedy: "If this machine has a new identity, ask them to forget the old one."
    )

    static func impostor(_ name: String) -> PeerError {
        PeerError(
            .notTrusted,
            "The other side uses the name of your trusted peer “\(name)”, but has a different key. It may be an impostor.",
            remedy: "Ask “\(name)”. If the key is really new, forget the old one and pair again."
        )
    }

    /// Describes a refusal by the other side.
    init(_ refusal: Refusal) {
        let code: Code =
            switch refusal.code {
            case .busy, .locked: .busy
            case .notTrusted, .link: .notTrusted
            case .noAnswer: .timedOut
            case .encryption: .encryptionMismatch
            case .replaced: .replaced
            case .declined, .crossed, .over, .other: .declined
            }
        self.init(code, refusal.reason)
    }
}

extension Refusal {
    static let full = Refusal(.busy, "The other side is already connected to as many peers as it accepts.")
    static let notInvited = Refusal(.notTrusted, "The other side has no link with this machine.")
    static let disconnected = Refusal(.declined, "The other side has disconnected this machine.")
}

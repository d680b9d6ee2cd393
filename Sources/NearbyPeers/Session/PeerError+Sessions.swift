import PeerCore
import PeerProtocol

/// The errors of sessions.
extension PeerError {
    static let taskCancelled = PeerError(.cancelled, "The task was cancelled.")

    static let notConnected = PeerError(
        .notConnected,
        "This machine is not connected with that peer.",
        remedy: "Wait until it is connected, or invite it."
    )

    static let sessionEnded = PeerError(
        .notConnected,
        "The session has ended.",
        remedy: "Use a session only while its body runs, and before it leaves."
    )

    static let invitesItself = PeerError(
        .invalidArgument,
        "This machine cannot invite itself.",
        remedy: "Use the address or the link of another machine."
    )

    static let noAddress = PeerError(
        .cannotConnect,
        "No address of the peer is known.",
        remedy: "Wait until it is found again."
    )

    static let noAddressNearby = PeerError(
        .cannotConnect,
        "The peer names no address on a network that this machine is on.",
        remedy: "Join the same network, or use the peer's link."
    )

    static let pairingBroke = PeerError(
        .notTrusted,
        "The other side broke off the comparison of digits three times.",
        remedy: "Ask the person at the other machine, then invite it again."
    )

    /// A connection on which the peer was too slow; it can be tried again.
    static let tooSlow = PeerError(
        .connectionLost,
        "The other side did not answer in time, so the connection was closed.",
        remedy: "Move closer together or check the cable."
    )

    static let linkLost = PeerError(
        .connectionLost,
        "The connection to the other side was lost, and did not come back in time.",
        remedy: "Move closer together or check the cable."
    )

    static let outboxFull = PeerError(
        .notConnected,
        "The other side is away, and as much waits for it as may.",
        remedy: "Send it again when the peer is connected."
    )

    static let stalled = PeerError(
        .timedOut,
        "The other side does not read, and as much waits for it as may.",
        remedy: "Send it again when the peer reads."
    )

    static let channelRefused = PeerError(
        .invalidArgument,
        "There are more channels than a peer can have.",
        remedy: "Use at most 16 channels."
    )

    static let streamNameNotAllowed = PeerError(
        .invalidArgument,
        "The name or the metadata of the stream are too long, or the name is empty.",
        remedy: "A name has 1 to 255 bytes, and metadata have at most 4,096."
    )

    static let requestWithdrawn = PeerError(.peerCancelled, "The other side does not wait for the answer any more.")

    static func messageTooLong(_ length: Int, _ maximum: Int) -> PeerError {
        PeerError(
            .invalidArgument,
            "The message has \(length) bytes; the other side takes at most \(maximum).",
            remedy: "Send large data as a resource."
        )
    }

    static func readTwice(_ message: String) -> PeerError {
        PeerError(.invalidArgument, message, remedy: "Read them in one place.")
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
        case .tooMany: PeerError(.busy, "The other side has too many requests.", remedy: "Try again in a moment.")
        case .tooLarge: PeerError(.declined, "The answer is too long for a message.")
        case .cancelled, .finished: PeerError(.peerCancelled, "The other side gave the request up.")
        }
    }

    /// The error of a request whose link ended before its answer came.
    static func unanswered(_ failure: PeerError) -> PeerError {
        PeerError(
            .outcomeUnknown,
            "The connection to the other side was lost before its answer came: nobody knows whether it did what was asked.",
            remedy: "Ask again when it is connected, if doing it twice does no harm.",
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
        "The other side runs a program that offers transfers only, or an older version.",
        remedy: "Update the program on the other machine."
    )

    static let nobodyCompares = PeerError(
        .notTrusted,
        "The other side is not known, and this application compares no digits.",
        remedy: "Use a link, or an application that compares digits."
    )

    static let invitationTimedOut = PeerError(
        .timedOut,
        "The other side did not answer the invitation in time.",
        remedy: "Ask the person at the other machine, then try again."
    )

    static let invitationWithdrawn = PeerError(.connectionLost, "The peer is gone, or the invitation was answered.")

    static let requestTimedOut = PeerError(.timedOut, "The other side did not answer the request in time.")

    static let notFlushed = PeerError(.timedOut, "The other side did not take everything in time.")

    static let tooManyPeers = PeerError(
        .busy,
        "This machine is connected with as many peers as it takes.",
        remedy: "Disconnect one of them first."
    )

    static let dropped = PeerError(.notConnected, "The message was dropped: there is no connection, or too much waits.")

    static func discoveryStopped(_ cause: any Error) -> PeerError {
        PeerError(.discoveryUnavailable, "Discovery has stopped.", remedy: "Start Avahi, and try again.", cause: cause)
    }

    /// What an impostor is told: not whose name it has used.
    static let identityNotRecognized = PeerError(
        .notTrusted,
        "This machine's identity is not recognized there.",
        remedy: "If this machine has a new identity, ask them to forget the old one."
    )

    static func impostor(_ name: String) -> PeerError {
        PeerError(
            .notTrusted,
            "The other side uses the name of your trusted peer “\(name)”, but has a different key. It may be an impostor.",
            remedy: "Ask “\(name)”. If the key is really new, forget the old one and pair again."
        )
    }

    /// The error of a side that was sent away.
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
    static let full = Refusal(.busy, "The other side is connected with as many peers as it takes.")
    static let notInvited = Refusal(.notTrusted, "The other side has no link with this machine.")
    static let disconnected = Refusal(.declined, "The other side has ended the connection with this machine.")
}

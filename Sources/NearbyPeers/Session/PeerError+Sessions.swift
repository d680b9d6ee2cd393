import PeerCore
import PeerProtocol

/// The errors of sessions.
extension PeerError {
    static let taskCancelled = PeerError(.cancelled, "The operation was cancelled.")

    static let notConnected = PeerError(
        .notConnected,
        "This machine is not connected to the other machine.",
        remedy: "Wait until the other machine is connected, or invite it."
    )

    static let sessionEnded = PeerError(
        .notConnected,
        "The session has already ended.",
        remedy: "Start a new session. Use a session only while its body runs, and before it leaves."
    )

    static let invitesItself = PeerError(
        .invalidArgument,
        "This machine cannot invite itself.",
        remedy: "Use the address or the share link of another machine."
    )

    static let noAddress = PeerError(
        .cannotConnect,
        "No address of the other machine is known.",
        remedy: "Wait until the other machine is found again, or enter its address."
    )

    static let noAddressNearby = PeerError(
        .cannotConnect,
        "The other machine has no address on a network of this machine.",
        remedy: "Join the same network, or use the share link of the other machine."
    )

    static let pairingBroke = PeerError(
        .notTrusted,
        "The other machine broke off the comparison of digits three times.",
        remedy: "Ask the person at the other machine, then invite it again."
    )

    /// The error of a connection on which the peer was too slow; the attempt can be repeated.
    static let tooSlow = PeerError(
        .connectionLost,
        "The other machine did not answer in time, so the connection was closed.",
        remedy: "Move closer together or check the cable, then try again."
    )

    static let linkLost = PeerError(
        .connectionLost,
        "The connection to the other machine was lost and could not be restored in time.",
        remedy: "Move closer together or check the cable."
    )

    static let outboxFull = PeerError(
        .notConnected,
        "The other machine is disconnected, and too many messages are waiting for it.",
        remedy: "Send the message again when the other machine is connected."
    )

    static let stalled = PeerError(
        .timedOut,
        "The other machine is not reading its messages, and too many are waiting for it.",
        remedy: "Send the message again later."
    )

    static let messagesLost = PeerError(
        .connectionLost,
        "The connection to the other machine was lost, and some of what was sent may not have arrived.",
        remedy: "Send again what still counts."
    )

    static func notUnderstood(_ name: String) -> PeerError {
        PeerError(
            .notUnderstood,
            "The program on the other machine does not know “\(name)”.",
            remedy: "Update the program on the other machine."
        )
    }

    static func unsupportedVersion(of name: String, known: UInt16) -> PeerError {
        PeerError(
            .unsupportedVersion,
            "The other side supports only version \(known) of “\(name)”.",
            remedy: "Update the program on the other machine."
        )
    }

    static let channelRefused = PeerError(
        .invalidArgument,
        "No more channels can be opened to the other machine.",
        remedy: "Use at most 16 channels."
    )

    static let streamNameNotAllowed = PeerError(
        .invalidArgument,
        "The name of the stream is empty or too long, or its metadata is too long.",
        remedy: "Use a name of 1 to 255 bytes, and at most 4,096 bytes of metadata."
    )

    static let requestWithdrawn = PeerError(.peerCancelled, "The other machine is no longer waiting for the answer.")

    static func messageTooLong(_ length: Int, _ maximum: Int) -> PeerError {
        PeerError(
            .invalidArgument,
            "The message has \(length) bytes, but it may have at most \(maximum).",
            remedy: "Send large data as a resource."
        )
    }

    static func readTwice(_ message: String) -> PeerError {
        PeerError(.invalidArgument, message, remedy: "Use a single reader.")
    }

    /// The error of a stream that has ended.
    static func ended(_ end: StreamEnd?) -> PeerError {
        guard let end, end.code != .finished else { return PeerError(.peerCancelled, "The stream has ended.") }
        return PeerError(.peerCancelled, end.reason.isEmpty ? "The other machine ended the stream." : end.reason)
    }

    /// The error of a request that was not answered.
    static func refused(_ end: RequestEnd) -> PeerError {
        switch end.cause {
        case .refused:
            PeerError(
                .declined,
                end.reason.isEmpty ? "The other machine refused the request." : end.reason,
                refusalCode: end.code.isEmpty ? nil : end.code
            )
        case .notTaken: PeerError(.declined, "The other machine does not answer requests of this type.")
        case .tooMany: PeerError(.busy, "The other machine has too many requests.", remedy: "Try again in a moment.")
        case .tooLarge: PeerError(.declined, "The other machine's answer is too long to be sent.")
        }
    }

    /// The error of a request whose link ended before the answer arrived.
    static func unanswered(_ failure: PeerError) -> PeerError {
        PeerError(
            .outcomeUnknown,
            "The connection was lost before the answer arrived. The other machine may have carried out the request.",
            remedy: "If it is safe to repeat the request, send it again when the other machine is connected.",
            cause: failure
        )
    }
}

/// The errors of meetings.
extension PeerError {
    static let closedEarly = PeerError(
        .connectionLost,
        "The other machine closed the connection before it identified itself.",
        remedy: "Try again."
    )

    static let nobodyCompares = PeerError(
        .notTrusted,
        "The other machine is unknown, and this application cannot compare digits.",
        remedy: "Use a share link, or an application that compares digits."
    )

    static let invitationTimedOut = PeerError(
        .timedOut,
        "The other machine did not answer the invitation in time.",
        remedy: "Ask the person at the other machine, then try again."
    )

    static let digitsDiffer = PeerError(.notTrusted, "The digits were not the same.")

    static let digitsNotCompared = PeerError(
        .notTrusted,
        "This peer is unknown: the digits on both screens must be compared first.",
        remedy: "Show the digits, and accept with the answer."
    )

    static let peerLeft = PeerError(.peerCancelled, "The other side has left.")

    static let disconnectedByPeer = PeerError(
        .peerCancelled,
        "The other machine has disconnected this machine.",
        remedy: "Ask the person at the other machine to invite this one."
    )

    static let invitationWithdrawn = PeerError(
        .connectionLost,
        "The invitation can no longer be answered: it was answered before, or the other machine has disconnected."
    )

    static let requestTimedOut = PeerError(
        .timedOut,
        "The other machine did not answer the request in time. It may have carried out the request."
    )

    /// A connected peer wants the name of another trusted peer.
    static func nameIsTaken(by owner: String, wantedBy peer: RemotePeer) -> PeerError {
        PeerError(
            .notTrusted,
            "“\(peer.displayName)” wants to be shown under the name of “\(owner)”, whom you trust and who has a different key.",
            remedy: "If there are two of that name, ask one of them to choose another one.",
            cause: ImpostorError(trustedName: owner, id: peer.id)
        )
    }

    static let notFlushed = PeerError(.timedOut, "Not everything that was sent arrived in time.")

    static let tooManyPeers = PeerError(
        .busy,
        "This machine is already connected to as many machines as it accepts.",
        remedy: "Disconnect one of them first."
    )

    static let dropped = PeerError(
        .notConnected,
        "The message was dropped: the other machine is disconnected, or too many messages are waiting."
    )

    static func discoveryStopped(_ cause: any Error) -> PeerError {
        PeerError(
            .discoveryUnavailable,
            "Discovery has stopped, so machines nearby no longer find each other.",
            remedy: "Start Avahi, and try again.",
            cause: cause
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

    /// Describes a failure of the other side.
    init(failedLink failure: Failure) {
        let code: Code =
            switch failure.code {
            case Code.notTrusted.description: .notTrusted
            // A timeout is not a refusal, so the attempt can be repeated.
            case Code.timedOut.description: .connectionLost
            default: .peerFailed
            }
        self.init(code, "The other side reports: \(failure.message)", remedy: failure.remedy)
    }
}

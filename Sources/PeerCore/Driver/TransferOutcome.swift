import FoundationEssentials
import NIOSSL

/// The outcome of a transfer, for the side that ran it.
struct TransferOutcome: Sendable {
    /// The peer; nil if it never said hello.
    var peer: RemotePeer?
    /// How it ended.
    var result: Result<TransferReceipt, any Error>
    /// How many bytes of resources were transferred.
    var bytesTransferred: UInt64
    /// The bytes of resources that were not transferred because the receiver had them, if the transfer is complete.
    var bytesSaved: UInt64
    /// The offered kinds that the receiver does not understand.
    var unknownKinds: [ResourceKind] = []
    /// The id of the offer, if it is one of several; nil if not.
    var offer: UUID?
}

extension TransferReceiver.Result {
    init(_ outcome: TransferOutcome) throws {
        self.init(
            peer: outcome.peer,
            receipt: try outcome.result.get(),
            bytesTransferred: outcome.bytesTransferred,
            bytesSaved: outcome.bytesSaved,
            offer: outcome.offer
        )
    }
}

extension PeerError {
    /// Describes the end of a transfer that did not complete; nil if it did.
    package init?(_ end: Conversation.End) {
        switch end {
        case .completed: return nil
        case .declinedByPeer(let refusal):
            if refusal.code == .noAnswer {
                self.init(
                    .declined,
                    "The person at the other machine did not answer in time.",
                    remedy: "Ask that person to look at the screen, then receive again."
                )
            } else {
                let code = refusal.code == .encryption ? Code.encryptionMismatch : .declined
                self.init(code, "The other side declined: \(refusal.reason)")
            }
        case .declined(let refusal):
            // The reason is for the other side: it needs another link.
            let isOld = refusal.code == .link
            self.init(.declined, isOld ? "The share link was an old one, or that of another sender." : refusal.reason)
        case .cancelledByPeer(let cancellation):
            self.init(.peerCancelled, "The other side stopped: \(cancellation.reason)")
        case .cancelled: self.init(.cancelled, "The transfer was stopped.")
        case .failedByPeer(let failure): self.init(failure)
        case .failed(let failure): self.init(.localStorage, failure.message, remedy: failure.remedy)
        case .violated(let error): self.init(error)
        case .connectionLost:
            self.init(
                .connectionLost,
                "The connection to the other side was lost.",
                remedy: "Move closer together or check the cable, then try again."
            )
        }
    }

    /// Describes the failure that the other side reported.
    package init(_ failure: Failure) {
        switch failure.code {
        case ProtocolError.Code.unsupportedVersion.description:
            // The other side's message says which version is newer from its own point of view.
            self.init(
                .unsupportedVersion,
                "The two machines have no protocol version in common. Update the program on both.",
                remedy: failure.remedy
            )
        case PeerError.Code.encryptionMismatch.description:
            self.init(.encryptionMismatch, failure.message, remedy: failure.remedy)
        case PeerError.Code.timedOut.description:
            // Silence is no decision: what was too slow can be tried again.
            self.init(.timedOut, "The other side reports: \(failure.message)", remedy: failure.remedy)
        case PeerError.Code.notTrusted.description, ProtocolError.Code.pairingMismatch.description:
            self.init(.notTrusted, failure.message, remedy: failure.remedy)
        default: self.init(.peerFailed, "The other side reports: \(failure.message)", remedy: failure.remedy)
        }
    }

    /// Describes how the other side broke the protocol.
    init(_ error: ProtocolError) {
        switch error.code {
        case .digestMismatch: self.init(.verificationFailed, error.message, remedy: "Try again.", cause: error)
        case .unsupportedVersion: self.init(.unsupportedVersion, error.message, cause: error)
        case .encryptionMismatch:
            self.init(.encryptionMismatch, error.message, remedy: "Require encryption on both machines.", cause: error)
        case .pairingMismatch:
            self.init(.notTrusted, error.message, remedy: "Use a share link, or another network.", cause: error)
        default: self.init(.protocolViolation, error.message, cause: error)
        }
    }

    /// Describes why a connection broke before it was secured; nil if it was simply lost.
    init?(securing error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: return nil
        // The connection broke; it was not refused.
        case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): return nil
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: break
        default: return nil
        }
        self.init(
            .notTrusted,
            "The encrypted connection failed: another machine or another program answered.",
            remedy: "Check the address and which machine it belongs to.",
            cause: error
        )
    }

    /// Describes why a transfer was not received: an error that is none of this library is that of the sink.
    init(receiving error: any Error) {
        switch error {
        case let error as PeerError: self = error
        case let error as ProtocolError: self.init(error)
        case is CancellationError: self.init(.cancelled, "The transfer was stopped.", cause: error)
        default:
            let words = error as? any LocalizedError
            self.init(
                .localStorage,
                words?.errorDescription ?? (error as? any ReportableError)?.reportToPeer
                    ?? "The data cannot be stored on this machine.",
                remedy: words?.recoverySuggestion,
                cause: error
            )
        }
    }

    /// Describes that the receiver's last frame did not arrive, and why.
    static func outcomeUnknown(_ cause: any Error) -> PeerError {
        PeerError(
            .outcomeUnknown,
            "Everything was sent, but the receiver never confirmed that it was kept.",
            remedy: "Check the other screen, or transfer it again: data that the receiver has is not sent twice.",
            cause: cause
        )
    }

    static func encryptionMismatch(_ wish: Inbound.PeerWish) -> PeerError {
        switch wish {
        case .encryption:
            PeerError(
                .encryptionMismatch,
                "The other side requires encryption, but this side does not encrypt.",
                remedy: "Use encryption on both machines, or on neither."
            )
        case .plainText:
            PeerError(
                .encryptionMismatch,
                "The other side does not encrypt, but this side requires encryption.",
                remedy: "Use encryption on both machines, or make it optional on this one."
            )
        }
    }

    /// Describes that a step of a conversation took too long.
    package static func deadline(_ deadline: Conversation.Deadline) -> PeerError {
        switch deadline {
        case .securing: PeerError(.timedOut, "The other side did not set up encryption in time.")
        case .greeting: PeerError(.timedOut, "The other side did not introduce itself in time.")
        case .settingUp: PeerError(.timedOut, "The connection was not set up in time.")
        case .invitation:
            PeerError(
                .timedOut,
                "The person at the other machine did not answer in time.",
                remedy: "Ask that person to look at the screen, then receive again."
            )
        case .waiting: PeerError(.timedOut, "The other side sent no invitation in time.")
        case .pairing: PeerError(.timedOut, "The other side did not finish pairing in time.")
        case .link, .introduction: PeerError(.timedOut, "The other side did not make a link in time.")
        }
    }

    /// Describes that a step of a transfer took too long.
    static func deadline(_ deadline: TransferLifecycle.Deadline) -> PeerError {
        switch deadline {
        case .manifest: PeerError(.timedOut, "The other side sent no offer in time.")
        case .progress:
            PeerError(
                .timedOut,
                "Almost no data was transferred for a minute, although the connection is still open.",
                remedy: "Check the other machine, then try again: received data is kept."
            )
        case .offer, .comparison, .survey: PeerError(.timedOut, "The offer was not answered in time.")
        }
    }

    /// Describes that a sender's address is locked out of pairing with this receiver.
    static func pairingLocked(_ time: Duration) -> PeerError {
        PeerError(
            .declined,
            "Too many failed pairings with this machine.",
            remedy: "Try again in \(time.components.seconds + 1) seconds, or use a share link."
        )
    }
}

extension Failure {
    /// The failure for a receiver whose use of encryption differs from this side's, from the receiver's point of view.
    init(encryptionMismatch wish: Inbound.PeerWish) {
        let code = PeerError.Code.encryptionMismatch.description
        switch wish {
        case .encryption:
            self.init(
                code: code,
                message: "The other side does not encrypt its connections.",
                remedy: "Use encryption on both machines, or on neither."
            )
        case .plainText:
            self.init(
                code: code,
                message: "The other side requires encryption.",
                remedy: "Use encryption on this machine, too."
            )
        }
    }

    /// The code of an error in the wire format's table.
    private static func code(of code: PeerError.Code) -> String {
        switch code {
        case .unsupportedVersion, .encryptionMismatch, .notTrusted, .timedOut, .localStorage: code.description
        default: "failed"
        }
    }

    /// The failure that the peer gets for an error of this side.
    init(reporting error: any Error) {
        if let error = error as? PeerError {
            self.init(code: Self.code(of: error.code), message: error.message, remedy: error.remedy)
        } else if let error = error as? any ReportableError {
            self.init(code: error.isOfStorage ? Self.code(of: .localStorage) : "failed", message: error.reportToPeer)
        } else {
            self.init(code: "failed", message: "The other side had to stop.")
        }
        message = message.prefix(utf8Count: ProtocolLimits.standard.maximumTextLength)
        remedy = remedy?.prefix(utf8Count: ProtocolLimits.standard.maximumTextLength)
    }
}

public import PeerCore

/// Which peers are connected without a question: those that invite this machine, and those that it invites.
///
/// See <doc:GettingStarted> for an example.
public struct AdmissionPolicy: Sendable {
    /// Asks the person at this machine whether the digits are the same on both screens, when this machine invites an unknown peer.
    ///
    /// The task is cancelled when the other side has declined or the invitation has expired: then remove the question from the
    /// screen. If this machine is invited, the digits are in ``IncomingInvitation/digits`` instead.
    public typealias DigitQuestion = @Sendable (RemotePeer, PairingDigits) async -> DigitComparison

    /// Which invitations are accepted.
    enum Rule: Hashable, Sendable {
        case ask
        case trusted
        case everyone
        case closed(String)
    }

    let rule: Rule
    /// Nil if no person can be asked.
    let question: DigitQuestion?

    /// Accepts no invitation: the application answers each of ``PeerSession/invitations()``.
    ///
    /// - Parameter question: Asks the person to compare digits; nil if no person can be asked: then a link with an unknown peer
    ///   that this machine invites is not made.
    public static func ask(comparing question: DigitQuestion?) -> AdmissionPolicy {
        AdmissionPolicy(rule: .ask, question: question)
    }

    /// Accepts the invitations of trusted and of known peers (`PeerTrust`); the application answers the others.
    ///
    /// - Parameter question: As in ``ask(comparing:)``.
    public static func trusted(comparing question: DigitQuestion?) -> AdmissionPolicy {
        AdmissionPolicy(rule: .trusted, question: question)
    }

    /// Accepts all invitations, and compares no digits.
    ///
    /// Any machine on the network can connect, under any name, and a machine in between can read everything. Use this for
    /// demonstrations, and for applications that have nothing to hide.
    public static let everyone = AdmissionPolicy(rule: .everyone, question: nil)

    /// Declines all invitations; this machine can still invite.
    ///
    /// - Parameters:
    ///   - reason: What peers are told, at most 1,000 bytes.
    ///   - question: As in ``ask(comparing:)``.
    public static func closed(_ reason: String, comparing question: DigitQuestion?) -> AdmissionPolicy {
        AdmissionPolicy(rule: .closed(reason), question: question)
    }
}

/// Which peers are invited as soon as they are found.
///
/// See <doc:GettingStarted> for an example.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum InvitationPolicy: Hashable, Sendable {
    /// None: the application invites.
    case manually
    /// All of them.
    case everyoneFound
    /// Those that are trusted or known (`PeerTrust`).
    case trustedFound
}

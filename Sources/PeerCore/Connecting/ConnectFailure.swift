import Glibc
import NIOCore

/// The reasons why no address of a peer led to a connection.
struct ConnectFailure: Error {
    /// A failed attempt to connect to one address.
    struct Attempt: Sendable {
        var address: SocketAddress
        var error: PeerError
    }

    /// The maximum number of addresses in the message.
    private static let maximumNamed = 6

    /// The attempts that have failed, in the order of the addresses.
    let attempts: [Attempt]
    /// How many addresses there were.
    let addressCount: Int

    /// The addresses of listeners that do not encrypt.
    var plainTextAddresses: [SocketAddress] {
        attempts.filter { $0.error.code == .encryptionMismatch }.map(\.address)
    }

    /// The error for the person: the most informative failure, and what happened at the other addresses.
    var error: PeerError {
        guard let error = mostTelling?.error else {
            return PeerError(.cannotConnect, "The other machine has no address to connect to.")
        }
        let list = named.map { "\($0.address.displayText) (\(Self.words($0.error)))" }.joined(separator: ", ")
        let others = addressCount - named.count
        let tried = others > 0 ? "\(list), and \(others) more" : list
        var (message, remedy) = (error.message, error.remedy)
        if error.code == .cannotConnect {
            let verb = attempts.allSatisfy { Self.isRefusal($0.error) } ? "refuses the connection" : "does not answer"
            message = "The other machine \(verb): \(tried)."
            remedy = Self.remedy(hasTimedOut: attempts.contains { Self.hasTimedOut($0.error) })
        } else if addressCount > 1 {
            message += " Tried: \(tried)."
        }
        let codes: [PeerError.Code] = [.cannotConnect, .timedOut, .connectionLost, .protocolViolation, .notTrusted]
        let cause: (any Error)? = codes.contains(error.code) ? UnansweredConnection(attempts) : error.cause
        return PeerError(error.code, message, remedy: remedy, cause: cause)
    }

    private var mostTelling: Attempt? { named.first }

    /// The attempts that the message names, the most informative first.
    private var named: [Attempt] {
        let ranked = attempts.enumerated().sorted {
            (Self.rank($0.element.error), $0.offset) < (Self.rank($1.element.error), $1.offset)
        }
        return ranked.prefix(Self.maximumNamed).map(\.element)
    }

    /// The rank of an error; the most informative errors have the lowest rank.
    private static func rank(_ error: PeerError) -> Int {
        switch error.code {
        case .notTrusted: 0
        case .encryptionMismatch: 1
        case .protocolViolation: 2
        case .timedOut: 3
        case .connectionLost: 4
        case .cannotConnect: 6
        default: 5
        }
    }

    /// Returns the more informative one of two errors, the first one if both are alike.
    static func moreTelling(_ one: PeerError?, _ other: PeerError) -> PeerError {
        guard let one, rank(one) <= rank(other) else { return other }
        return one
    }

    private static func hasTimedOut(_ error: PeerError) -> Bool {
        error.code == .timedOut || error.cause is ChannelError
    }

    private static func isRefusal(_ error: PeerError) -> Bool { (error.cause as? IOError)?.errnoCode == ECONNREFUSED }

    private static func words(_ error: PeerError) -> String {
        switch error.code {
        case .notTrusted: isOtherKey(error) ? "a machine with another key answers" : "another program answers"
        case .encryptionMismatch: "does not encrypt"
        case .protocolViolation where (error.cause as? UnexpectedAnswer)?.kind == .webPage: "a web page answers"
        case .protocolViolation: "another program answers"
        case .timedOut: "accepts connections but does not answer"
        case .connectionLost: "closes the connection"
        default:
            switch error.cause {
            case let error as IOError: String(cString: strerror(error.errnoCode))
            case is ChannelError: "no answer in time"
            default: "no connection"
            }
        }
    }

    private static func isOtherKey(_ error: PeerError) -> Bool {
        (error.cause as? UnexpectedAnswer)?.kind == .otherKey
    }

    private static func remedy(hasTimedOut: Bool) -> String {
        guard hasTimedOut else {
            return "Check that the program is still running on the other machine and that no firewall blocks its port."
        }
        return "Check that the program is still running on the other machine and that no firewall blocks its port. "
            + "If a VPN is active, turn it off on both machines."
    }
}

extension PeerError {
    /// The other side accepts a connection in plain text, but does not send its preface.
    static let saidNothing = PeerError(
        .timedOut,
        "The other side accepted the connection but did not answer in time.",
        remedy: "Check the address and the port."
    )

    /// Whether an attempt failed because the interface has no address yet, as right after a cable was plugged in.
    var isNetworkNotReady: Bool {
        guard let error = cause as? IOError else { return false }
        return [EADDRNOTAVAIL, ENETUNREACH, ENETDOWN].contains(error.errnoCode)
    }

    /// Creates the error of a failed attempt to connect.
    init(connecting error: any Error) {
        switch error {
        case let error as PeerError: self = error
        case let error as ProtocolError: self.init(error)
        default: self.init(.cannotConnect, "The other machine does not answer.", cause: error)
        }
    }

    /// Creates the error of a connection that broke before the peer was authenticated.
    init(proving error: any Error) {
        switch error {
        case let error as PeerError: self = error
        case let error as ProtocolError: self.init(error)
        default:
            self =
                PeerError(securing: error) ?? PeerError(Conversation.End.connectionLost) ?? PeerError(connecting: error)
        }
    }
}

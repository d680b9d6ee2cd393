import ArgumentParser
import NetworkManager
import PeerCore
import RegionStore

/// The exit codes of the program. (The command reference has the same table.)
enum ExitStatus: Int32, CaseIterable {
    /// Success.
    case success = 0
    /// A failure without a code of its own.
    case failure = 1
    /// An invalid input file, or an ambiguous region.
    case badInput = 2
    /// No such region, or no peer found in time.
    case notFound = 3
    /// The connection was lost.
    case connectionLost = 4
    /// A person declined.
    case refused = 5
    /// The peer broke the protocol, or received data do not match their digest.
    case protocolViolated = 6
    /// A full disk, a missing permission, or a database error.
    case storage = 7
    /// Discovery does not work on this machine.
    case noDiscovery = 8
    /// The command line is not valid.
    case usage = 64
    /// A person stopped the program.
    case interrupted = 130

    /// Returns the exit code of an error.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as HintedError: ExitStatus(error.underlying)
            case let error as IncompleteReception: ExitStatus(error.underlying)
            case let error as CommandError: ExitStatus(error.code)
            case let error as ReportedFailure: error.status
            case let error as PeerError: ExitStatus(error.code)
            case let error as NetworkManagerError: ExitStatus(error.code)
            case let error as RegionStoreError: ExitStatus(error.code)
            case let error as ProtocolError where error.code == .encryptionMismatch: .refused
            case is ProtocolError: .protocolViolated
            case is CancellationError: .interrupted
            default: ExitStatus(parsing: error)
            }
    }

    private init(_ code: CommandError.Code) {
        self =
            switch code {
            case .noTerminal, .usage: .usage
            case .unknownFile, .ambiguous, .outsideArea, .olderMap, .perhapsNewer, .sameMap, .sameName, .writtenBefore:
                .badInput
            case .notFound, .noPeerFound: .notFound
            case .declined, .notTrusted, .changed: .refused
            case .interrupted: .interrupted
            case .storage, .output: .storage
            case .openFiles, .port: .failure
            case .network: .connectionLost
            }
    }

    private init(_ code: NetworkManagerError.Code) {
        self =
            switch code {
            case .notFound: .notFound
            case .wrongPassword: .refused
            case .ended, .timedOut: .connectionLost
            case .noNetworkManager, .networkingOff, .wifiOff, .noWiFi, .unmanaged, .unavailable, .noAccessPointMode,
                .noChannel, .noPermission, .failed:
                .failure
            }
    }

    private init(_ code: PeerError.Code) {
        self =
            switch code {
            case .discoveryUnavailable: .noDiscovery
            case .noPeerFound, .cannotConnect: .notFound
            case .connectionLost, .outcomeUnknown, .timedOut: .connectionLost
            case .declined, .notTrusted, .encryptionMismatch, .peerCancelled: .refused
            case .protocolViolation, .verificationFailed, .unsupportedVersion: .protocolViolated
            case .localStorage, .identity: .storage
            case .invalidArgument: .usage
            case .cancelled: .interrupted
            default: .failure
            }
    }

    private init(_ code: RegionStoreError.Code) {
        self =
            switch code {
            case .invalidFile, .ambiguous: .badInput
            case .notFound: .notFound
            case .storage, .conflict: .storage
            case .invalidArgument: .usage
            case .refused: .protocolViolated
            default: .failure
            }
    }

    /// Returns the exit code of an error of the argument parser, including help and version.
    private init(parsing error: any Error) {
        self =
            switch ParserError(error).exitCode {
            case .success: .success
            case .validationFailure: .usage
            default: .failure
            }
    }
}

/// An error of a command itself, not of the libraries.
struct CommandError: Error {
    /// The kind of the error, for programs.
    enum Code: String, CaseIterable {
        /// A question must be answered, but there is no terminal.
        case noTerminal
        /// The combination of arguments is not possible.
        case usage
        /// A file has an unknown format.
        case unknownFile
        /// No peer was found in time.
        case noPeerFound
        /// The store has nothing of that kind.
        case notFound
        /// Several things match.
        case ambiguous
        /// The other machine is not trusted, and there is no terminal to ask.
        case notTrusted
        /// The person at this machine declined.
        case declined
        /// What was decided about has changed meanwhile.
        case changed
        /// A person stopped the command.
        case interrupted
        /// A file or folder on this machine cannot be used.
        case storage
        /// The results cannot be written to the standard output.
        case output
        /// A Wi-Fi network that this program has made or joined has ended.
        case network
        /// A port is in use, or may not be used.
        case port
        /// The system allows this program too few open files.
        case openFiles
        /// Something that was added is outside the map; a warning.
        case outsideArea
        /// A map has taken the place of a newer one, as the person wanted; a warning.
        case olderMap
        /// A map may be a newer version of another region's; a warning.
        case perhapsNewer
        /// Several regions have the same map; a warning.
        case sameMap
        /// Several regions have the same name; a warning.
        case sameName
        /// A file on a stick was written before, and is left as it is; a warning.
        case writtenBefore
    }

    /// The kind of the error.
    var code: Code

    /// What went wrong and why.
    var message: String

    /// What the person can do; nil if nothing helps.
    var remedy: String?

    /// What to check, one item for each line.
    var hints: [DisplayText]

    init(_ code: Code, _ message: String, remedy: String? = nil, hints: [DisplayText] = []) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.hints = hints
    }
}

extension CommandError {
    /// There is no region, and no default store.
    static let noMaps = CommandError(
        .notFound,
        "You have no maps yet.",
        hints: [
            "To import maps:  \("hikeshare import FILE...", .command)",
            "To get one from someone nearby:  \("hikeshare receive", .command)",
        ]
    )
}

extension CommandError {
    /// There is no default store, so no machine is trusted.
    static let noPeers = CommandError(
        .notFound,
        "You trust no other machine yet.",
        remedy: ProgramRemedy.forTrustedPeer
    )
}

extension CommandError: ReportableError {
    /// The message.
    var reportToPeer: String { message }
}

/// A failure that was already reported; only its exit code remains.
struct ReportedFailure: Error {
    /// The exit code.
    var status: ExitStatus
}

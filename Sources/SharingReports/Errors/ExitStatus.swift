import NetworkManager
import PeerCore
import RegionSharing
import RegionStore

/// The exit codes of the program. (The command reference has the same table.)
package enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// A failure without a code of its own.
    case failure = 1
    /// An invalid input file, or an ambiguous region.
    case badInput = 2
    /// No such region, or no peer found in time.
    case notFound = 3
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
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as HintedError: ExitStatus(error.underlying)
            case let error as IncompleteReception: ExitStatus(error.underlying)
            case let error as any WordedError: ExitStatus(error.words.code)
            case let error as CommandError: ExitStatus(error.code)
            case let error as ReportedFailure: error.status
            case let error as PeerError: ExitStatus(error.code)
            case let error as NetworkManagerError: ExitStatus(error.code)
            case let error as RegionStoreError: ExitStatus(error.code)
            case let error as ProtocolError where error.code == .encryptionMismatch: .refused
            case is ProtocolError: .protocolViolated
            case is CancellationError: .interrupted
            default: .failure
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
            case .conflict, .storage, .output: .storage
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
}

/// A failure that was already reported; only its exit code remains.
package struct ReportedFailure: Error {
    /// The exit code.
    package var status: ExitStatus

    package init(status: ExitStatus) { self.status = status }
}

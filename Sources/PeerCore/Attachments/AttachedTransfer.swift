package import Logging
package import PeerProtocol
package import PeerStorage

/// A resource of a session, which goes over a connection of its own: an *attached* connection.
///
/// People have agreed to it over the session's link, so no person is asked again. Otherwise it is a transfer like any other:
/// verified chunk by chunk, and begun again where it broke off.
package struct AttachedTransfer: Sendable {
    /// What this side does.
    package enum Content: Sendable {
        /// It sends this.
        case sending(any ResourceSource)
        /// It stores here what was offered with this size and this number of files.
        case receiving(any ResourceSink, size: UInt64, count: Int)
    }

    /// Who opens the connection.
    package enum Route: Sendable {
        /// This side, to one of these addresses, `HOST:PORT`.
        case dialing([String])
        /// The other side; `ready` is called when this side expects it.
        case awaiting(ready: @Sendable () -> Void)
    }

    /// How far it is.
    package enum Progress: Sendable {
        /// The receiver has this many bytes of all that was offered.
        case transferring(bytes: UInt64, bytesPerSecond: Double, timeLeft: Duration?)
        /// Everything has arrived, and is made durable.
        case committing
    }

    /// This machine.
    package var local: LocalPeer
    /// Which run of the program this is.
    package var incarnation: Incarnation
    /// The only peer that is accepted.
    package var peer: PeerID
    /// What the peer presents, or this side: `attach`, with the secret that was told over the link.
    package var claim: ResourceNotice
    /// What this side does.
    package var content: Content
    /// The limits and timers.
    package var configuration: ConnectionConfiguration
    /// Stops it.
    package var control = TransferControl()
    /// Told how far it is.
    package var report: @Sendable (Progress) -> Void = { _ in }
    /// Logs details for diagnosis.
    package var logger: Logger

    package init(
        local: LocalPeer,
        incarnation: Incarnation,
        peer: PeerID,
        claim: ResourceNotice,
        content: Content,
        configuration: ConnectionConfiguration,
        logger: Logger
    ) {
        self.local = local
        self.incarnation = incarnation
        self.peer = peer
        self.claim = claim
        self.content = content
        self.configuration = configuration
        self.logger = logger
    }

    /// The secret of the claim; nil if it is none.
    var secret: ConnectionSecret? { if case .attach(let secret) = claim.verb { secret } else { nil } }

    /// How long the side that listens waits for the connection.
    package var arrivalTimeout: Duration { configuration.connectingTimeout + configuration.handshakeTimeout }
}

extension AttachedTransfer.Content {
    /// The kinds that the receiving side accepts; fails if the manifest is not what was offered.
    package func answer(to manifest: Manifest) throws(PeerError) -> Set<ResourceKind> {
        guard case .receiving(_, let size, let count) = self else { return [] }
        guard manifest.totalSize == size, manifest.entries.count == count else {
            throw PeerError(.protocolViolation, "The other side sent something other than it offered.")
        }
        return Set(manifest.entries.map(\.kind))
    }
}

extension PeerError {
    /// Describes why an attached transfer has failed.
    package init(carrying error: any Error) {
        if let error = error as? PeerError {
            self = error
        } else if let error = error as? ProtocolError {
            self.init(error)
        } else if error is CancellationError {
            self.init(.cancelled, "The transfer was stopped.")
        } else if let error = error as? any ReportableError {
            self.init(.localStorage, error.reportToPeer, cause: error)
        } else {
            self.init(.localStorage, "The resource cannot be read or stored on this machine.", cause: error)
        }
    }
}

/// The beginning of every connection: both sides say hello.
///
/// It is the same for both roles. The order of events: ``start()``, then ``receivedHello(_:certificate:)``.
package struct HandshakeStateMachine: Sendable {
    private enum State {
        /// Nothing was sent. Can become `awaitingHello`.
        case idle
        /// Our hello was sent. Can become `connected` or `failed`.
        case awaitingHello
        /// Both sides have said hello. Can become `failed`.
        case connected
        /// The peer broke the protocol. Final.
        case failed
    }

    /// What to do at the start.
    package enum OnStart: Equatable, Sendable {
        /// Send the preface and this hello.
        case sendHello(Hello)
        /// Nothing: it was started before.
        case none
    }

    /// What to do about a hello.
    package enum OnReceivedHello: Equatable, Sendable {
        /// The handshake is complete.
        case connect(Hello, ProtocolVersion)
        /// End the connection and tell the peer.
        case fail(ProtocolError)
    }

    private let hello: Hello
    private var state: State = .idle

    package init(hello: Hello) { self.hello = hello }

    /// Whether both sides have said hello.
    package var isConnected: Bool { if case .connected = state { true } else { false } }

    /// The connection is open, and secured if it is to be.
    package mutating func start() -> OnStart {
        guard case .idle = state else { return .none }
        state = .awaitingHello
        return .sendHello(hello)
    }

    /// The peer said hello.
    ///
    /// - `certificate`: The id that its certificate proves; nil on a plain-text connection.
    package mutating func receivedHello(_ theirs: Hello, certificate: PeerID?) -> OnReceivedHello {
        guard case .awaitingHello = state else { return .fail(unexpected(.hello)) }
        do throws(ProtocolError) {
            let version = try agree(theirs, certificate)
            state = .connected
            return .connect(theirs, version)
        } catch {
            return .fail(poison(error))
        }
    }

    /// Returns the version that both sides speak, unless they must not speak with each other.
    private func agree(_ theirs: Hello, _ certificate: PeerID?) throws(ProtocolError) -> ProtocolVersion {
        // The application comes first: of a peer of another application, not even the versions mean the same.
        guard theirs.application == hello.application else {
            throw ProtocolError(
                .otherApplication,
                "The two sides run different applications: “\(hello.application)” here and "
                    + "“\(theirs.application)” at the other side. Check the address and the port."
            )
        }
        guard let version = ProtocolVersion.highestCommon(hello.versions, theirs.versions) else {
            throw unsupportedVersion(theirs: theirs.versions)
        }
        // A machine in between can strip TLS, and change what the plain hello says, but not what this side wants. So plain
        // text is refused unless one side wants it and the other allows it.
        let wishes = [hello.encryption, theirs.encryption]
        guard certificate != nil || wishes.contains(.none) && !wishes.contains(.required) else {
            throw ProtocolError(
                .encryptionMismatch,
                "Both sides support encryption, but this connection is not encrypted: someone may be tampering with it."
            )
        }
        if let certificate, certificate != theirs.peerID {
            throw ProtocolError(
                .identityMismatch,
                "The other side claims to be \(theirs.peerID), but its certificate belongs to \(certificate)."
            )
        }
        // A copied store has a copied key. Two machines with one key would trust each other without having met.
        guard theirs.peerID != hello.peerID else {
            throw ProtocolError(
                .identityMismatch,
                "The other side has the same identity as this one. Use another store on one of the two."
            )
        }
        // Two dialers would both invite, and two listeners would both wait for an invitation.
        guard theirs.role != hello.role else {
            throw ProtocolError(
                .unexpectedFrame,
                "Both sides say that they are the \(theirs.role) of this connection."
            )
        }
        return version
    }

    /// Another frame than a hello arrived before the handshake was complete.
    package mutating func receivedOther(_ type: FrameType) -> ProtocolError { unexpected(type) }

    private mutating func unexpected(_ type: FrameType) -> ProtocolError {
        poison(.unexpected(type))
    }

    private mutating func poison(_ error: ProtocolError) -> ProtocolError {
        state = .failed
        return error
    }

    private func unsupportedVersion(theirs: [ProtocolVersion]) -> ProtocolError {
        let newest = hello.versions.max() ?? .version1
        let theyAreNewer = (theirs.min() ?? .version1) > newest
        return ProtocolError(
            .unsupportedVersion,
            theyAreNewer
                ? "The other side speaks a newer version of the protocol. Update \(hello.application) on this machine."
                : "The other side speaks an older version of the protocol. Update \(hello.application) on the other machine."
        )
    }
}

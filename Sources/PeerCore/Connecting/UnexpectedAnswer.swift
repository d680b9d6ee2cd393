/// Why a connection that had opened did not lead to the peer: the cause of an error.
struct UnexpectedAnswer: Error {
    /// What came instead of the peer.
    enum Kind: Sendable {
        /// The connection was reset or closed right after the first packets of TLS, before a byte came.
        case reset
        /// A web server answered, such as the sign-in page of a network.
        case webPage
        /// A program with another key than the expected one answered.
        case otherKey
    }

    let kind: Kind
    /// What is told of it.
    let error: PeerError

    /// Creates a cause, with the error that is told.
    init(_ kind: Kind, instead error: PeerError) { (self.kind, self.error) = (kind, error) }

    /// Creates the cause of a failure to authenticate the peer; nil if the failure adds nothing to its error.
    init?(_ error: PeerError, on connection: FrameConnection) {
        switch error.code {
        case .connectionLost where !connection.activity.hasHeard: self.init(.reset, instead: error)
        case .notTrusted where connection.certificateDER != nil: self.init(.otherKey, instead: error)
        default: return nil
        }
    }
}

extension PeerError {
    /// Creates an error with a cause that tells more.
    init(_ answer: UnexpectedAnswer) {
        self.init(answer.error.code, answer.error.message, remedy: answer.error.remedy, cause: answer)
    }
}

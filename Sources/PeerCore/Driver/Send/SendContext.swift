import NIOPosix

/// What a sender's session is given at its start and never changes.
struct SendContext: Sendable {
    /// What is sent.
    let source: any ResourceSource
    /// Who is trusted.
    let trust: any TrustStore
    /// Who is let in; all sessions of a sender share it.
    let admission: Admission
    /// The session's number.
    let session: Int
    /// Where files are read and hashed.
    let pool: NIOThreadPool
    /// Decides on an invitation.
    let decide: @Sendable (Invitation) async -> InvitationAnswer
    /// Told of every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}

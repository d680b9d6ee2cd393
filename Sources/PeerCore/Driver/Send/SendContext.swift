import NIOPosix

/// The constants of a sender's session.
struct SendContext: Sendable {
    /// Supplies the resources.
    let source: any ResourceSource
    /// Knows the trusted peers.
    let trust: any TrustStore
    /// Decides which peers are admitted; shared by all sessions of the sender.
    let admission: Admission
    /// The session's number.
    let session: Int
    /// Whether the receiver is admitted because the connection carries a resource of a session.
    var isAttached = false
    /// Reads and hashes files.
    let pool: NIOThreadPool
    /// Decides on an invitation.
    let decide: @Sendable (Invitation) async -> InvitationAnswer
    /// Called at every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
}

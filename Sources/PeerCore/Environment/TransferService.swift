import PeerProtocol

/// Transfers that a program offers on the port of its sessions.
///
/// ```swift
/// let service = TransferService(sender, decide: { _ in .accept }, finished: { _ in true })
/// try await withPeerSession(configuration, environment: .system(serving: service)) { session in … }
/// ```
public struct TransferService: Sendable {
    let sender: TransferSender
    let control: TransferControl
    let updates: TransferUpdates.Continuation?
    let decide: @Sendable (Invitation) async -> InvitationAnswer
    let finished: @Sendable (TransferSender.Finished) async -> Bool

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - sender: The sender; this machine must be the same as that of the session.
    ///   - control: Stops one of its transfers. To stop all of them, end the session.
    ///   - updates: Receives the updates of all transfers; nil for none.
    ///   - decide: Answers each invitation to a transfer.
    ///   - finished: Called when a transfer has ended; returns whether the sender continues.
    public init(
        _ sender: TransferSender,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        decide: @escaping @Sendable (Invitation) async -> InvitationAnswer,
        finished: @escaping @Sendable (TransferSender.Finished) async -> Bool
    ) {
        self.sender = sender
        self.control = control
        self.updates = updates
        self.decide = decide
        self.finished = finished
    }
}

extension NetworkTransport {
    /// Serves transfers at a desk, and accepts sessions.
    func serve(
        _ service: TransferService,
        at desk: FrontDesk,
        _ accept: @escaping @Sendable (any PeerConnection) async -> Void
    ) async throws {
        try await service.sender.serve(
            at: desk,
            sessions: { connection, _, _ in
                await accept(connection)
                return .unasked
            },
            control: service.control,
            updates: service.updates,
            decide: service.decide,
            finished: service.finished
        )
    }
}

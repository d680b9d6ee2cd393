import NIOCore
import NIOPosix

/// The constants of a sender's transfer.
struct SendContext: Sendable {
    /// Supplies the resources, unless `offering` makes others.
    let source: any ResourceSource
    /// The slot at the listener; its admission is shared by all transfers of the sender.
    let slot: ConversationEnvironment.Slot
    /// Reads and hashes files.
    let pool: NIOThreadPool
    /// Decides on an invitation.
    let decide: @Sendable (Invitation) async -> InvitationAnswer
    /// Called at every step.
    let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
    /// The turns of all receivers of the sender; nil if none waits for another.
    var turns: SendingTurns?
    /// Makes the source for a receiver that has sent a context; nil if all receivers get the same.
    var offering: (@Sendable (Invitation) async throws -> any ResourceSource)?
    /// The offers from which the receiver picks; nil for one offer.
    var choice: OfferChoice?
}

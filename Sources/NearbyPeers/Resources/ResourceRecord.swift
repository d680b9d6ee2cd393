import PeerCore
import PeerProtocol
import PeerStorage

/// The record of one resource.
struct ResourceRecord: Sendable {
    let role: ResourceStateMachine.Role
    let link: LinkDriver
    let offer: ResourceNotice.Offer
    var machine: ResourceStateMachine
    /// The content that is sent or received; nil until the receiver has chosen a destination.
    var content: AttachedTransfer.Content?
    /// Cancels the timer for the application's answer to an offer.
    var cancelAnswerTimer: (@Sendable () -> Void)?
    /// The attached connection that is being made or used; nil if there is none.
    var carriage: ResourceCarriage?
    /// The number of attached connections so far.
    var attempt = 0
    /// The error of the last attached connection that failed.
    var error: PeerError?
    /// The receiver's receipt.
    var receipt = TransferReceipt()
    let watch: ResourceWatch

    init(
        _ role: ResourceStateMachine.Role,
        _ link: LinkDriver,
        listens: Bool?,
        offer: ResourceNotice.Offer,
        watch: ResourceWatch? = nil
    ) {
        self.role = role
        self.link = link
        self.offer = offer
        self.machine = ResourceStateMachine(role, listens: listens)
        self.watch = watch ?? ResourceWatch(size: offer.size)
    }
}

extension Refusal {
    static let tooManyResources = Refusal(.busy, "Too many resources wait at the other side. Try again in a moment.")
    static let resourceNotAnswered = Refusal(.noAnswer, "The offer was not answered in time.")

    static func resourceTooLarge(_ maximum: UInt64) -> Refusal {
        Refusal(.declined, "The other side accepts resources of at most \(maximum) bytes.")
    }
}

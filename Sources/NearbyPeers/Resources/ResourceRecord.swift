import PeerCore
import PeerProtocol
import PeerStorage

/// What the desk knows of one resource.
struct ResourceRecord: Sendable {
    let role: ResourceStateMachine.Role
    let link: LinkDriver
    let offer: ResourceNotice.Offer
    var machine: ResourceStateMachine
    /// What is carried; nil until the receiver has said where it goes.
    var content: AttachedTransfer.Content?
    /// Stops waiting for the application's answer to an offer.
    var cancelAnswerTimer: (@Sendable () -> Void)?
    /// The attached connection that is being made or used.
    var carriage: ResourceCarriage?
    /// The number of attached connections so far.
    var attempt = 0
    /// Why the last attached connection has failed.
    var error: PeerError?
    /// What the receiver has reported.
    var receipt = TransferReceipt()
    let watch: ResourceWatch

    /// Creates a record of a resource that is offered.
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

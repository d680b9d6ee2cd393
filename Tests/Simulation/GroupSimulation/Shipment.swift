import PeerCore

/// A resource that a program of the simulation has offered; its ``Flow`` says who, and what its bytes are.
struct Shipment: Sendable {
    /// What the sender was told in the end.
    enum Outcome: Hashable, Sendable {
        /// The receiver has all of it.
        case finished
        case failed(PeerError.Code)
    }

    /// The machine to which it is offered.
    var receiver: Int
    var fate: Plan.Fate
    /// Nil as long as the sender waits.
    var outcome: Outcome?

    /// What is wrong with it when a world is whole and the link was never broken; nil if all is well.
    func problem(isReceived: Bool) -> String? {
        switch (outcome, isReceived) {
        case (.finished, false): "S7: the sender was told that it is received"
        case (_, true) where fate == .declined: "S7: it was declined and received"
        case (nil, _): "L2: the sender has not heard how it ended"
        // The sender had offered too many at once.
        case (.failed(.busy), false): nil
        case (.failed(let code), _) where fate == .wanted: "L2: it failed, \(code)"
        default: nil
        }
    }
}

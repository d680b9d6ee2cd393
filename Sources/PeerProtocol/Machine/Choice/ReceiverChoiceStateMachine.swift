package import FoundationEssentials

/// What a receiver picks of the offers of a sender that has several; each is a transfer of its own in the same conversation.
///
/// A pure value beside the ``ReceiverStateMachine`` of the current transfer. A sender without a catalogue makes one offer.
package struct ReceiverChoiceStateMachine: Sendable {
    private enum State {
        /// The catalogue, or the only manifest, is awaited. Can become `deciding` or `receiving`.
        case idle
        /// A person is asked. Can become `receiving`.
        case deciding(Catalogue)
        /// Manifests with these ids are awaited, or the first one has arrived; empty for a sender with one offer.
        case receiving([UUID])
    }

    private var state = State.idle

    /// Whether an offer was declined, and the next manifest has not come: lists that were asked for may still arrive.
    package private(set) var isPassingOver = false

    package init() {}

    /// Whether a person is asked what to pick.
    package var isDeciding: Bool { if case .deciding = state { true } else { false } }

    /// Whether offers were picked, so that the person has compared the digits.
    package var hasPicked: Bool { if case .receiving(let ids) = state { !ids.isEmpty } else { false } }

    /// Whether another offer follows the current one.
    package var hasMore: Bool { if case .receiving(let ids) = state { ids.count > 1 } else { false } }

    /// The sender's catalogue came.
    package mutating func receivedCatalogue(_ body: Data, limits: ProtocolLimits) throws(ProtocolError) -> Catalogue {
        guard case .idle = state else { throw .unexpected(.catalogue) }
        let catalogue = try Catalogue(parsing: body, limits: limits)
        state = .deciding(catalogue)
        return catalogue
    }

    /// The person picks offers.
    ///
    /// - Parameter ids: The offers, in the order in which they are wanted; those that are not in the catalogue do not count.
    /// - Returns: What to send; nil if there is nothing to pick from, or nothing of it is picked.
    package mutating func picked(_ ids: [UUID]) -> OfferPick? {
        guard case .deciding(let catalogue) = state else { return nil }
        var left = Set(catalogue.ids)
        let wanted = ids.filter { left.remove($0) != nil }
        guard !wanted.isEmpty else { return nil }
        state = .receiving(wanted)
        return OfferPick(ids: wanted)
    }

    /// A manifest came.
    ///
    /// - Throws: ``ProtocolError`` if this side has not picked, or if another one is awaited.
    package mutating func receivedManifest(_ id: UUID) throws(ProtocolError) {
        isPassingOver = false
        switch state {
        case .idle: state = .receiving([])
        case .deciding: throw .unexpected(.manifest)
        case .receiving(let ids):
            guard let first = ids.first, id != first else { return }
            throw ProtocolError(.invalidManifest, "The other side offers something else than what was picked.")
        }
    }

    /// This side has declined an offer.
    package mutating func declined() -> Bool {
        isPassingOver = concluded()
        return isPassingOver
    }

    /// The transfer of an offer is complete.
    package mutating func concluded() -> Bool {
        guard case .receiving(let ids) = state, ids.count > 1 else { return false }
        state = .receiving(Array(ids.dropFirst()))
        return true
    }
}

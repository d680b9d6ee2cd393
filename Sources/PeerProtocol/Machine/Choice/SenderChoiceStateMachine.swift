package import FoundationEssentials

/// Which offer a sender makes next, if it has several; each is a transfer of its own in the same conversation.
///
/// A pure value beside the ``SenderStateMachine`` of the current transfer. Without a catalogue there is one offer.
package struct SenderChoiceStateMachine: Sendable {
    private enum State {
        /// The receiver is not accepted. Can become `offering` or `serving`.
        case idle
        /// The catalogue was sent. Can become `serving`.
        case offering
        /// An offer is made, which has this id if it was picked; these follow.
        case serving(UUID?, [UUID])
    }

    /// What to do when the receiver is accepted.
    package enum OnStart: Equatable, Sendable {
        /// Send the catalogue, and await the pick.
        case sendCatalogue(Catalogue)
        /// Make the only offer.
        case offer
    }

    private let catalogue: Catalogue?
    private var state = State.idle

    /// Creates a machine; `catalogue` is nil for a sender with one offer.
    package init(_ catalogue: Catalogue?) { self.catalogue = catalogue }

    /// Whether the catalogue was sent, and the receiver has not picked.
    package var isAwaitingPick: Bool { if case .offering = state { true } else { false } }

    /// The picked offer that is made, or was made last; nil if nothing was picked.
    package var current: UUID? { if case .serving(let id, _) = state { id } else { nil } }

    /// The receiver is accepted.
    package mutating func start() -> OnStart {
        guard let catalogue else {
            state = .serving(nil, [])
            return .offer
        }
        state = .offering
        return .sendCatalogue(catalogue)
    }

    /// The receiver says what it wants.
    ///
    /// - Throws: ``ProtocolError`` if nothing was to be picked, or if it wants what is not in the catalogue, or something twice.
    package mutating func receivedPick(_ pick: OfferPick) throws(ProtocolError) -> UUID {
        guard case .offering = state, let catalogue, let first = pick.ids.first,
            Set(pick.ids).count == pick.ids.count, Set(pick.ids).isSubset(of: catalogue.ids)
        else { throw .unexpected(.pick) }
        state = .serving(first, Array(pick.ids.dropFirst()))
        return first
    }

    /// The transfer of an offer is complete, or the receiver has declined it.
    ///
    /// - Returns: The next offer to make; nil after the last one.
    package mutating func concluded() -> UUID? {
        guard case .serving(_, let ids) = state, let next = ids.first else { return nil }
        state = .serving(next, Array(ids.dropFirst()))
        return next
    }
}

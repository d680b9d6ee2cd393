public import PeerCore
import RegionStore

/// Whether to take an offer, or parts of it.
public struct OfferQuestion: Question {
    /// What a person answers.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Answer: Hashable, Sendable {
        /// Everything that is wanted.
        case everything
        /// These kinds alone, about which the person is asked again.
        case only(Set<ResourceKind>)
        /// Nothing: the person declines.
        case nothing
    }

    /// The offer, with the parts that the person has selected.
    public var offer: OfferFacts
    /// The kinds from which the person selects.
    public var selectable: Set<ResourceKind>
    /// Why the last selection is not possible; nil if there was none, or if it is.
    public var objection: ReceivingError?

    /// The offer is declined.
    public var defaultAnswer: Answer { .nothing }

    /// Returns those of the kinds that can be selected.
    package func selection(_ kinds: Set<ResourceKind>) -> Set<ResourceKind> {
        selectable.intersection(kinds).withPlaces(in: offer.local)
    }
}

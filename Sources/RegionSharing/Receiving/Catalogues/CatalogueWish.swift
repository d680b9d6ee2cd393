package import FoundationEssentials
import RegionStore

/// What a receiver wants of a sender that offers several regions.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum CatalogueWish: Hashable, Sendable {
    /// What is new, or else what may bring newer items.
    case usual
    /// Everything.
    case all
    /// The regions with these names.
    case named([String])

    /// Selects regions in the order in which they are received; `passedOver` gets each name that no region has, or several.
    package func ids(of offers: [CatalogueItem], passedOver: (String) -> Void = { _ in }) -> [UUID] {
        switch self {
        case .all: return offers.map(\.region.id)
        case .usual:
            let news = offers.filter(\.novelty.isNews)
            return (news.isEmpty ? offers.filter(\.novelty.isHarmless) : news).map(\.region.id)
        case .named(let names):
            return names.reduce(into: []) { ids, name in
                let found = RegionStore.offered(offers.map(\.region), matching: name)
                guard found.count == 1, let id = found.first?.id else { return passedOver(name) }
                if !ids.contains(id) { ids.append(id) }
            }
        }
    }
}

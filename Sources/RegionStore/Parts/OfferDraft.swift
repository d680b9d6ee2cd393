import FoundationEssentials
import PeerProtocol
import PeerStorage

/// A region while it is read to be sent, in one transaction.
struct OfferDraft {
    let store: RegionStore
    let region: RegionSummary
    /// Where files are kept for as long as the offer lasts.
    let workspace: StoreWorkspace
    /// Which of the hikes and planned routes are sent.
    let routes: RouteSelection
    /// Whether heart rates and calories are sent.
    let includesHealth: Bool

    /// The routes that were named and not found yet.
    var routeSearch: RouteSelection.Search
    /// What of it tells of a person.
    var personal = PersonalContent()
    /// What makes the resources when the transaction is over.
    var resources: [ResourceKind: () throws -> RegionSource.Resource?] = [:]

    init(
        _ region: RegionSummary,
        of store: RegionStore,
        in workspace: StoreWorkspace,
        routes: RouteSelection,
        includesHealth: Bool
    ) {
        self.store = store
        self.region = region
        self.workspace = workspace
        self.routes = routes
        self.includesHealth = includesHealth
        self.routeSearch = RouteSelection.Search(routes)
    }
}

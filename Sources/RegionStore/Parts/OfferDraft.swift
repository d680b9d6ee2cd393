import FoundationEssentials
import PeerProtocol
import PeerStorage
import RegionModel

/// The data of an offer, which are read in one transaction.
struct OfferDraft {
    let store: RegionStore
    let region: RegionSummary
    /// The workspace that keeps the files for the duration of the offer.
    let workspace: StoreWorkspace
    /// The selected hikes and planned routes.
    let routes: RouteSelection
    /// Whether heart rates, calories and other values of sensors are sent.
    let includesHealth: Bool
    /// Whether photos are sent with what they say of the camera, the place and the time.
    var includesPhotoDetails = true
    /// The part of the map that is sent; nil for the whole map.
    var cut: CutRule?
    /// Where the items lie that are sent; nil for everywhere.
    var place: CutPlace?

    /// The search for the routes that were selected by name.
    var routeSearch: RouteSelection.Search
    /// The content that concerns a person.
    var personal = PersonalContent()
    /// The hikes and planned routes of which the offer has outlines.
    var outlines = OutlineSelection()
    /// The outlines themselves, which are read after the lists.
    var outlineList: [Outline] = []
    /// What was edited and removed last.
    var edits = EditSelection()
    /// The items that are left out because they lie elsewhere.
    var outside: [ResourceKind: Set<UUID>] = [:]
    /// The functions that create the resources after the transaction.
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

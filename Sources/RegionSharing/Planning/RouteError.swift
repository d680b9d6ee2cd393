package import RegionStore
package import Routing

/// Why a route was not planned or not saved.
package enum RouteError: SharingError {
    /// No place has the name that a person has given: what there is.
    case unknownPlace(String, RegionPlaces)
    /// Several places have the name.
    case ambiguousPlace(String, [ItemDescription], in: RegionSummary)
    /// The name is that of a hike or planned route, and only its ends are places.
    case neitherEnd(ItemDescription)
    /// No way leads through the places, of which there are as many as given.
    case noWay(PlanningError, placeCount: Int, in: RegionSummary)
    /// A hike or planned route of the region has the name already.
    case nameTaken(ItemDescription, in: RegionSummary)
}

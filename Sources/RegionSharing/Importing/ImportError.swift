package import RegionStore

/// Why a file is not imported.
package enum ImportError: SharingError {
    /// There is no person to ask whether the map replaces one that may be newer.
    case needsQuestion(MapReplacement)
    /// The photo shows no waypoint, or may show several.
    case unclearPhoto(file: String, candidates: Int)
    /// No waypoint has the name that a person has given, or several have it.
    case unclearWaypoint(RegionStoreError, in: RegionSummary?)
}

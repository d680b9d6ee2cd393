import FoundationEssentials
import RegionStore

/// Adds photos to the waypoints that they show.
struct PhotoImporter {
    var store: RegionStore
    /// The region of the waypoints; nil for all regions.
    var regionID: UUID?
    /// The waypoint that a person has named for the only photo.
    var waypoint: String?
    /// Whether a photo may replace another one.
    var replacing = false
    /// Whether a person has named this photo alone, so that an error says what is missing.
    var isNamed = false
    var console: Console

    /// Imports photos.
    ///
    /// - Returns: The photos that show no waypoint.
    func run(_ photos: [InputFile], _ refusals: inout RefusedFiles) throws -> [(path: String, reason: String?)] {
        guard let first = photos.first else { return [] }
        if let waypoint {
            let place = try WaypointChoice(waypoint, in: regionID, of: store)
            try add(first, to: place.waypoint.id, place.waypoint.name, in: place.region)
            return []
        }
        let places = try places()
        var leftOut: [(path: String, reason: String?)] = []
        for photo in photos {
            let found = places.places(ofPhotoAt: photo.location, called: photo.path)
            if found.count == 1 {
                try refusals.collect {
                    try add(photo, to: found[0].waypoint.id, found[0].waypoint.label, in: found[0].region)
                }
            } else if isNamed {
                try refusals.note(Self.noWaypoint(for: photo, candidates: found.count))
            } else {
                leftOut.append((photo.path, found.isEmpty ? "shows no waypoint" : "may show several waypoints"))
            }
        }
        return leftOut
    }

    /// Returns the waypoints to which the photos may belong.
    func places() throws -> PhotoPlaces {
        try PhotoPlaces(of: regionID.map { [try store.region($0)] } ?? store.regions(), in: store)
    }

    /// Adds a photo to a waypoint, and reports it.
    func add(_ photo: InputFile, to waypointID: UUID, _ label: String, in region: RegionSummary) throws {
        do {
            let isNew = try store.importPhoto(
                at: photo.location,
                for: waypointID,
                in: region.id,
                replacing: replacing
            )
            console.emit(
                PhotoImportReport(file: photo.path, region: region, waypointID: waypointID, label: label, isNew: isNew)
            )
            if PhotoEnd.isMissing(at: photo.location) {
                let message = "\(photo.path) ends early, so a part of the photo is missing. It was added as it is."
                let remedy = "Copy it from the camera again, and add it with --replace."
                console.warn(ProblemReport(CommandError(.unknownFile, message, remedy: remedy), severity: .warning))
            }
        } catch var error as RegionStoreError where error.code == .conflict {
            error.message = "\(photo.path): \(error.message)"
            error.remedy = "To replace that photo, add --replace."
            throw error
        }
    }

    private static func noWaypoint(for photo: InputFile, candidates: Int) -> CommandError {
        CommandError(
            .unknownFile,
            candidates == 0
                ? "\(photo.path): No waypoint is called like this photo, links to it, or is where it was taken."
                : "\(photo.path): \(candidates) waypoints are called like this photo.",
            remedy: "Import it by itself, and name its waypoint with --waypoint NAME."
        )
    }
}

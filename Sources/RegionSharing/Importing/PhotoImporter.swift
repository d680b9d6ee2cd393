package import FoundationEssentials
package import RegionStore

/// Adds photos to the waypoints that they show.
package struct PhotoImporter {
    let store: RegionStore
    /// The region of the waypoints; nil for all regions.
    let regionID: UUID?
    /// Whether a photo may replace another one.
    let isReplacing: Bool
    let person: any Person

    /// Creates it for the waypoints of one region, or of all regions.
    package init(store: RegionStore, regionID: UUID?, isReplacing: Bool = false, person: any Person) {
        (self.store, self.regionID, self.isReplacing, self.person) = (store, regionID, isReplacing, person)
    }

    /// Imports photos.
    ///
    /// - Parameters:
    ///   - photos: The photos.
    ///   - isNamed: Whether a person has named one photo alone, so that an error says what is missing.
    ///   - refusals: What cannot be imported.
    /// - Returns: The photos that show no waypoint.
    /// - Throws: The error of the store.
    func run(_ photos: [InputFile], isNamed: Bool, _ refusals: inout RefusedFiles) async throws -> [LeftOutFile] {
        guard !photos.isEmpty else { return [] }
        let places = try places()
        var leftOut: [LeftOutFile] = []
        for photo in photos {
            let found = places.places(ofPhotoAt: photo.location, called: photo.path)
            if found.count == 1 {
                _ = try await refusals.collect(.photo) {
                    try add(photo, to: found[0].waypoint.id, found[0].waypoint.label, in: found[0].region)
                }
            } else if isNamed {
                try refusals.note(ImportError.unclearPhoto(file: photo.path, candidates: found.count), .photo)
            } else {
                leftOut.append(LeftOutFile(path: photo.path, why: .photo(candidates: found.count)))
            }
        }
        return leftOut
    }

    /// Imports the photo of a waypoint that a person has named.
    ///
    /// - Throws: ``ImportError`` if it is not clear which waypoint that is; `RegionStoreError` if the photo cannot be added.
    func run(_ photo: InputFile, of waypoint: String) throws {
        let place = try place(of: waypoint)
        try add(photo, to: place.item.id, place.item.name, in: place.region)
    }

    private func place(of waypoint: String) throws -> (region: RegionSummary, item: ItemDescription) {
        do {
            return try store.waypoint(matching: waypoint, of: regionID)
        } catch let error as RegionStoreError where [.notFound, .ambiguous].contains(error.code) {
            throw ImportError.unclearWaypoint(error, in: try regionID.map { try store.region($0) })
        }
    }

    /// Returns the waypoints to which the photos may belong.
    package func places() throws -> PhotoPlaces {
        try PhotoPlaces(of: regionID.map { [try store.region($0)] } ?? store.regions(), in: store)
    }

    /// Adds a photo to a waypoint, and tells of it.
    package func add(_ photo: InputFile, to waypointID: UUID, _ label: String, in region: RegionSummary) throws {
        let isNew: Bool
        do {
            isNew = try store.importPhoto(at: photo.location, for: waypointID, in: region.id, replacing: isReplacing)
        } catch var error as RegionStoreError where error.code == .conflict {
            error.message = "\(photo.path): \(error.message)"
            throw error
        }
        let added = ImportedPhoto(
            file: photo.path,
            region: region,
            waypointID: waypointID,
            label: label,
            isNew: isNew
        )
        person.tell(.importing(.photo(added)))
        if PhotoEnd.isMissing(at: photo.location) { person.tell(.importing(.damagedPhoto(file: photo.path))) }
    }
}

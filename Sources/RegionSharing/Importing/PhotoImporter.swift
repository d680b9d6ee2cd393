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

    /// Imports photos; if a person has named one photo alone, an error says what is missing.
    func run(_ photos: [InputFile], isNamed: Bool, _ refusals: inout RefusedFiles) async throws -> [LeftOutFile] {
        guard !photos.isEmpty else { return [] }
        let places = try places()
        var leftOut: [LeftOutFile] = []
        for photo in photos {
            let found = places.places(ofPhotoAt: photo.location, called: photo.path)
            if let place = found.first, found.count == 1 {
                let isTaken = try await refusals.collect(.photo, photo) { try await add(photo, to: place) }
                if isTaken == false { leftOut.append(LeftOutFile(path: photo.path, why: .declined)) }
            } else if isNamed {
                let unclear = ImportError.unclearPhoto(file: photo.path, candidates: found.count)
                try refusals.note(unclear, of: photo.path, .photo)
            } else {
                leftOut.append(LeftOutFile(path: photo.path, why: .photo(candidates: found.count)))
            }
        }
        return leftOut
    }

    /// Adds a photo to a waypoint, and asks if it has another one; returns false if that stays.
    private func add(_ photo: InputFile, to place: PhotoPlaces.Place) async throws -> Bool {
        let (waypoint, region) = (place.waypoint, place.region)
        do {
            try add(photo, to: waypoint.id, waypoint.label, in: region)
        } catch let error as RegionStoreError where error.code == .conflict {
            let question = PhotoReplacement(file: photo.path, label: waypoint.label, region: region)
            guard let replaces = try await person.ask(question) else { throw error }
            guard replaces else { return false }
            let importer = PhotoImporter(store: store, regionID: regionID, isReplacing: true, person: person)
            try importer.add(photo, to: waypoint.id, waypoint.label, in: region)
        }
        return true
    }

    /// Imports the photo of a waypoint that a person has named.
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

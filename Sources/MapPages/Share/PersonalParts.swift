package import RegionStore

extension DownloadKind {
    /// Returns what concerns a person in a file of this kind of a region, in words; empty if there is nothing.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - content: What its items have.
    ///   - hasPhotoDetails: Whether photos may say something of the camera, the place and the time.
    /// - Returns: The words.
    package func personalParts(
        of region: RegionSummary,
        _ content: PersonalContent,
        hasPhotoDetails: Bool = true
    ) -> [String] {
        guard region.hikeCount + region.plannedRouteCount + region.waypointCount > 0 else { return [] }
        let hikes = region.hikeCount > 0 ? PageWords.count(region.hikeCount, "recorded hike") : nil
        let photos =
            region.photoCount > 0
            ? PageWords.count(region.photoCount, "photo") + (hasPhotoDetails ? " with places and times" : "") : nil
        var texts: [String] = []
        if content.comments + content.pointTexts > 0 { texts.append("comments") }
        if content.notes > 0 { texts.append("notes") }
        if content.links > 0 { texts.append("links") }
        let words = texts.last.map { last in
            texts.count == 1 ? last : texts.dropLast().joined(separator: ", ") + " and " + last
        }
        let parts: [String?] =
            switch self {
            case .mbtiles, .sealed, .sqlitedb: []
            case .pdf: [hikes]
            case .gpx: [hikes.map { $0 + " with times" }, words]
            case .html, .zip: [hikes.map { $0 + " with times" }, words, photos]
            }
        return parts.compactMap { $0 }
    }
}

package import RegionStore
internal import Sentences

extension DownloadKind {
    /// Returns what concerns a person in a file of this kind of a region, in English words; empty if there is nothing.
    ///
    /// - Parameter hasPhotos: Whether the photos of the region are in the file.
    package func personalParts(
        of region: RegionSummary,
        _ content: PersonalContent,
        hasPhotos: Bool = true
    ) -> [String] {
        personalSentences(of: region, content, hasPhotos: hasPhotos).map(\.english)
    }

    /// Returns the same as sentences.
    func personalSentences(of region: RegionSummary, _ content: PersonalContent, hasPhotos: Bool) -> [Sentence] {
        let count = content.hikes
        let hikes = count > 0 ? Sentence("\(count, "recorded hike")") : nil
        let timedHikes = content.timedHikes > 0 && count > 0 ? Sentence("\(count, "recorded hike") with times") : hikes
        let photos = hasPhotos ? Self.photoWords(content) : nil
        let (comments, notes) = (Sentence("comments"), Sentence("notes"))
        let parts: [Sentence?] =
            switch self {
            case .mbtiles, .foreign, .sqlitedb: []
            case .pdf: [hikes]
            // A page has neither other texts nor links.
            case .html: [timedHikes, Self.texts([(content.hikeComments, comments), (content.notes, notes)]), photos]
            case .gpx: [timedHikes] + Self.fileWords(region, content)
            case .zip: [timedHikes] + Self.fileWords(region, content) + [photos]
            }
        return parts.compactMap { $0 }
    }

    /// What a GPX file has beside hikes.
    private static func fileWords(_ region: RegionSummary, _ content: PersonalContent) -> [Sentence?] {
        let words = texts([
            (content.comments, Sentence("comments")), (content.notes, Sentence("notes")),
            (content.links, Sentence("links")), (content.pointTexts, Sentence("names of points")),
        ])
        // When each was made or changed.
        let times = texts([
            (region.plannedRouteCount, Sentence("routes")), (region.waypointCount, Sentence("waypoints")),
        ])
        let timeWords = times.map { items in Sentence("times of \(items)") }
        return [words, timeWords, content.healthRecords > 0 ? Sentence("health data") : nil]
    }

    private static func photoWords(_ content: PersonalContent) -> Sentence? {
        let count = content.photos
        guard count > 0 else { return nil }
        func has(_ detail: PhotoDetails) -> Int { content.photoDetails.contains(detail) ? 1 : 0 }
        let details = texts([
            (has(.camera), Sentence("cameras")), (has(.place), Sentence("places")), (has(.time), Sentence("times")),
        ])
        guard let details else {
            return content.unexaminedPhotos > 0
                ? Sentence("\(count, "photo"), perhaps with places and times") : Sentence("\(count, "photo")")
        }
        // Translators: {details}: cameras, places, times, or some of these.
        return content.unexaminedPhotos > 0
            ? Sentence("\(count, "photo") with \(details), perhaps with more")
            : Sentence("\(count, "photo") with \(details)")
    }

    /// Joins the words of what there is.
    private static func texts(_ counts: [(count: Int, word: Sentence)]) -> Sentence? {
        Sentence.list(counts.filter { $0.count > 0 }.map(\.word))
    }
}

import PeerCore
import RegionStore

/// A region that a sender offers, as it was when the sender was started.
struct SentRegion: Sendable {
    /// The region in the store.
    var region: RegionSummary
    /// What is offered of it.
    var source: RegionSource
    /// Notices changes since then.
    var watch: RegionWatch
}

extension [SentRegion] {
    /// The size of all that is offered, in bytes.
    var totalSize: UInt64 { reduce(0) { $0 + $1.source.manifest.totalSize } }

    /// The offered content that concerns a person.
    var personal: PersonalContent { reduce(into: PersonalContent()) { $0.add($1.source.personal) } }

    /// The list from which receivers pick; nil if there is one region.
    ///
    /// - Throws: ``CommandError`` if there are too many.
    func catalogue() throws -> Catalogue? {
        guard count > 1 else { return nil }
        do {
            return try Catalogue(compactMap(\.source.offered))
        } catch let error as ProtocolError where error.code == .limitExceeded {
            throw CommandError(
                .usage,
                "These are too many regions for one list: at most \(ProtocolLimits.standard.maximumCatalogueCount) can be sent at once.",
                remedy: "Name those that you want to send."
            )
        }
    }
}

extension PersonalContent {
    /// Adds the numbers of another region.
    fileprivate mutating func add(_ other: PersonalContent) {
        hikes += other.hikes
        comments += other.comments
        links += other.links
        pointTexts += other.pointTexts
        healthRecords += other.healthRecords
        withheldHealthRecords += other.withheldHealthRecords
        notes += other.notes
        addPhotos(of: other)
    }
}

extension RegionSource {
    /// The items that are left out because they lie outside the part of the map; nil if there are none.
    var outsideWords: DisplayText? {
        let kinds = ResourceKind.shown.compactMap { kind in outside[kind].map { kind.words(count: $0) } }
        return kinds.isEmpty ? nil : "\(Wording.list(kinds)) of \(DisplayText(quoting: region.name)) outside the part"
    }
}

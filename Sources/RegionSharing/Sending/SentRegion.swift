package import PeerCore
public import RegionStore

/// A region that a sender offers, as it was when the sender was started.
public struct SentRegion: Sendable {
    /// The region in the store.
    public var region: RegionSummary
    /// What is offered of it.
    public var source: RegionSource
    /// Notices changes since then.
    var watch: RegionWatch
}

extension [SentRegion] {
    /// The size of all that is offered, in bytes.
    var totalSize: UInt64 { reduce(0) { $0 + $1.source.manifest.totalSize } }

    /// The offered content that concerns a person.
    public var personal: PersonalContent { reduce(into: PersonalContent()) { $0.add($1.source.personal) } }

    /// Returns the list from which receivers pick; nil if there is one region.
    package func catalogue() throws -> Catalogue? {
        guard count > 1 else { return nil }
        do {
            return try Catalogue(compactMap(\.source.offered))
        } catch let error as ProtocolError where error.code == .limitExceeded {
            throw SendingError.tooManyRegions(maximum: ProtocolLimits.standard.maximumCatalogueCount)
        }
    }
}

extension PersonalContent {
    /// Adds the numbers of another region.
    fileprivate mutating func add(_ other: PersonalContent) {
        hikes += other.hikes
        timedHikes += other.timedHikes
        hikeComments += other.hikeComments
        comments += other.comments
        links += other.links
        pointTexts += other.pointTexts
        healthRecords += other.healthRecords
        withheldHealthRecords += other.withheldHealthRecords
        notes += other.notes
        addPhotos(of: other)
    }
}

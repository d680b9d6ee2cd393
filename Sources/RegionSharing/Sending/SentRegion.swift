public import PeerCore
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
    ///
    /// - Throws: ``SendingError/tooManyRegions(maximum:)``.
    package func catalogue() throws -> Catalogue? {
        guard count > 1 else { return nil }
        do {
            return try Catalogue(compactMap(\.source.offered))
        } catch let error as ProtocolError where error.code == .limitExceeded {
            throw SendingError.tooManyRegions(maximum: ProtocolLimits.standard.maximumCatalogueCount)
        }
    }
}

/// What to send of regions.
public struct SendingWish: Sendable {
    /// The kinds; nil for all.
    public var kinds: Set<ResourceKind>?
    /// The hikes and planned routes, by name or number; empty for all.
    public var routes: [String] = []
    /// Finds the part of the map of a region; nil for the whole map.
    package var cut: @Sendable (RegionSummary) throws -> CutWish? = { _ in nil }
    /// Whether values of sensors are part of the hikes.
    public var includesHealth = false
    /// Whether photos have what they say of the camera, the place and the time.
    public var includesPhotoDetails = true
    /// Whether items are sent that lie outside the part.
    public var includesOutside = false
    /// Whether a region that cannot be sent so is left out.
    public var leavesOut = false

    /// Creates a wish for everything.
    public init() {}

    /// Makes what is offered of regions.
    ///
    /// - Throws: `RegionStoreError` if a region cannot be sent so; if such regions are left out, if there is no other one.
    public func offer(_ regions: [RegionSummary], of store: RegionStore, for person: any Person) throws -> [SentRegion]
    {
        var sent: [SentRegion] = []
        var first: RegionStoreError?
        for region in regions {
            do {
                sent.append(try offer(region, of: store, for: person))
            } catch let error as RegionStoreError where leavesOut && regions.count > 1 {
                first = first ?? error
                person.tell(.sending(.leftOut(region, error)))
            }
        }
        if let first, sent.isEmpty { throw first }
        return sent
    }

    private func offer(_ region: RegionSummary, of store: RegionStore, for person: any Person) throws -> SentRegion {
        let selection = try store.routes(matching: routes, of: region.id)
        let cut = try cut(region)
        // Before the source, so that a change in between is noticed.
        let watch = try RegionWatch(region.id, in: store)
        let source = try person.cutting(region) { report in
            try store.source(
                for: region.id,
                kinds: kinds,
                routes: selection,
                includeHealth: includesHealth,
                includePhotoDetails: includesPhotoDetails,
                includeOutside: includesOutside,
                cut: cut,
                progress: report
            )
        }
        let withheld = source.personal.withheldPhotos
        if withheld > 0 { person.tell(.sending(.withheldPhotos(withheld))) }
        person.tell(.sending(.outside(source, receiver: nil)))
        let wantsRouting = kinds?.contains(.routing) != false && region.hasRoutingData
        if wantsRouting, source.manifest.entry(of: .routing) == nil { person.tell(.sending(.missingRouting(region))) }
        return SentRegion(region: region, source: source, watch: watch)
    }
}

extension Person {
    /// Tells how far a part of the map of a region is made, while `body` makes it.
    func cutting<Result>(
        _ region: RegionSummary,
        for receiver: RemotePeer? = nil,
        _ body: ((Int64, Int64) -> Void) throws -> Result
    ) rethrows -> Result {
        defer { tell(.sending(.cutting(region, for: receiver, bytes: nil))) }
        return try body { tell(.sending(.cutting(region, for: receiver, bytes: ($0, $1)))) }
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

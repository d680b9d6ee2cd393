package import PeerCore
public import RegionStore

/// An imported map beside the map of a region, and the question whether it takes its place.
public struct MapReplacement: Question {
    /// What to do with an imported map.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Decision: Sendable {
        /// It replaces the map of this region.
        case replace(RegionSummary)
        /// It becomes a region of its own, with this name; nil for the one that it has.
        case add(name: String?)
        case leaveOut
    }

    /// The name of the map's file.
    public var file: String
    package var map: ImportedMapFacts
    /// The region.
    public var local: RegionSummary
    /// Whether a person has named the region.
    public var isWished: Bool
    /// Who has made the map of the region, if their signature would be lost.
    package var lostMaker: MapMaker?
    /// Whether the person who imports the map signs it.
    package var isSigned: Bool

    /// Compares a map, which `signer` will have signed, with that of a region.
    package init(
        _ file: String,
        _ map: ImportedMapFacts,
        of local: RegionSummary,
        isWished: Bool = false,
        signer: PeerID? = nil,
        ownID: PeerID?,
        in store: RegionStore
    ) throws {
        (self.file, self.map, self.local, self.isWished) = (file, map, local, isWished)
        let maker = try store.maker(of: local.signature, ownID: ownID)
        lostMaker = map.isPart || maker?.signature.signer != signer ? maker : nil
        isSigned = signer != nil && !map.isPart
    }

    /// The map is left out.
    public var defaultAnswer: Decision { .leaveOut }

    /// Which of the two maps is newer.
    package var ages: MapAges { MapAges(offered: map.edition, local: local.edition) }

    /// The zoom levels that would lose all tiles.
    package var lostZooms: [Int] { map.isPart ? [] : local.zooms.filter { !map.zooms.contains($0) } }

    /// Whether a person must know of it.
    private var losesAnything: Bool { ages.needQuestion || !lostZooms.isEmpty || lostMaker != nil }

    /// Decides on the map, or asks.
    ///
    /// If no region was named, only a person decides that the map of one is replaced. If one was named, a person is asked if the map is
    /// older, or if something else would be lost.
    ///
    /// - Throws: ``ImportError`` if the map may be older, and there is no person to ask; `CancellationError` at a stop.
    func decide(_ consent: Consent, _ person: any Person) async throws -> Decision {
        guard isWished else {
            if consent.asks { return try await person.ask(self) }
            person.tell(.importing(.perhapsNewer(self)))
            return .add(name: nil)
        }
        guard map.digest != local.mapDigest, losesAnything else { return .replace(local) }
        if consent.asks { return try await person.ask(self) }
        guard consent == .everything || !ages.needQuestion else { throw ImportError.needsQuestion(self) }
        person.tell(.importing(.replacedUnasked(self)))
        return .replace(local)
    }
}

public import FoundationEssentials
public import PeerCore
public import RegionStore

/// Something that has happened while a region is received.
public enum ReceivingHappening: Sendable {
    /// A sender has made an offer, or a person has selected parts of it; nothing is decided yet.
    case offered(OfferFacts)
    /// An offer is taken, and nobody was asked about it.
    case takenUnasked(OfferFacts)
    /// A sender offers several regions; nothing is picked yet.
    case listed(CatalogueFacts)
    /// What is wanted is picked from a list, and nobody was asked about it.
    case pickedUnasked(CatalogueFacts)
    /// One of several regions is left out, because the sender cannot send it.
    case leftOut(name: String, any Error)
    /// The receiver looks for a sender before it gives up.
    case looking(RenewedSearch)
    /// The receiver will connect again.
    case reconnecting(Reconnection)
    /// Another sender has the same map.
    case substitute(DiscoveredPeer, among: [TrustedPeer])
    /// A region is received; the last one, or one of several.
    case received(ReceivedRegion, isLast: Bool)
    /// Files are kept for the next attempt.
    case kept(KeptFiles)
}

/// A region that was received.
public struct ReceivedRegion: Sendable {
    /// The region.
    public var regionID: UUID
    /// Its name in this store.
    public var regionName: String
    /// Whether no other region in the store has the name.
    public var isOnlyOfName = true
    /// The sender's name for the region, if this store keeps another one.
    public var nameThere: String?
    /// Whether a part of the map was offered.
    public var isPart = false
    /// Whether the map is one of another program.
    public var isSealed = false
    /// An item that the sender has removed and this store still has, by which its kind and number are known; nil for none.
    package var removable: ItemDescription?
    /// What it has done to the map that the region had, and on which routes; nil if that is not known.
    package var change: (change: MapChange, routes: ChangedRoutes?)?
    /// The name of another region with the same map; nil if there is none.
    public var twin: String?
    /// What was received.
    public var result: TransferReceiver.Result

    /// Creates the facts of a region of which not more is known.
    package init(regionID: UUID, regionName: String, result: TransferReceiver.Result) {
        (self.regionID, self.regionName, self.result) = (regionID, regionName, result)
    }

    /// Creates the facts of an offered region, by what its store has now.
    package init(
        _ region: Region,
        in store: RegionStore,
        change: (change: MapChange, routes: ChangedRoutes?)?,
        result: TransferReceiver.Result
    ) {
        let regions = (try? store.regions()) ?? []
        let stored = regions.first { $0.id == region.id }
        // The region may have another name in this store.
        let name = stored?.name ?? region.name
        self.init(regionID: region.id, regionName: name, result: result)
        isOnlyOfName = regions.filter { $0.name.lowercased() == name.lowercased() }.count == 1
        nameThere = name == region.name ? nil : region.name
        (isPart, isSealed, self.change) = (region.cut != nil, region.sealed != nil, change)
        removable = store.removable(result.receipt, region)
        twin = regions.first { $0.id != region.id && $0.mapDigest == stored?.mapDigest }?.name
    }
}

extension RegionStore {
    /// Finds the first item that the sender has removed and this store still has.
    fileprivate func removable(_ receipt: TransferReceipt, _ region: Region) -> ItemDescription? {
        guard receipt.changes.contains(where: { $0.outcome == .removedBySender }) else { return nil }
        for edit in (try? offeredEdits(of: region)) ?? [] where edit.edit.name == nil {
            guard let kind = ItemKind.allCases.first(where: { $0.resourceKind == edit.edit.kind }) else { continue }
            let items = (try? items(kind, of: region.id)) ?? []
            if let item = items.first(where: { $0.id == edit.edit.id }) { return item }
        }
        return nil
    }
}

/// What has ended, and whom a receiver looks for before it gives up.
public struct RenewedSearch: Sendable {
    /// Whom it looks for.
    public enum Wanted: String, Sendable {
        /// The same sender, at another address.
        case sender
        /// Another sender of the same map.
        case otherSender
    }

    /// What has ended.
    public var error: any Error
    /// Whom it looks for.
    public var wanted: Wanted
}

/// That a receiver will connect again, and when.
public struct Reconnection: Sendable {
    /// How many attempts in a row have brought nothing, with the next one.
    public var attempt: Int
    /// How many there are at most.
    public var maximumAttempts: Int
    /// The time until then.
    public var delay: Duration
    /// Why the last one failed.
    public var error: any Error
    /// Why the machines do not meet, if that was looked for and found.
    public var cause: NetworkCause?
    /// Whether the one before said the same.
    public var isRepeated = false

    /// Creates the facts of a reconnection.
    package init(attempt: Int, maximumAttempts: Int, delay: Duration, error: any Error, cause: NetworkCause? = nil) {
        (self.attempt, self.maximumAttempts, self.delay) = (attempt, maximumAttempts, delay)
        (self.error, self.cause) = (error, cause)
    }

    /// Whether it says the same as another one: without a network, every attempt does.
    func saysTheSame(as other: Reconnection?) -> Bool {
        guard let other, cause == other.cause else { return false }
        return cause?.isAbsence == true
            || attempt == other.attempt && maximumAttempts == other.maximumAttempts && delay == other.delay
                && error as? PeerError == other.error as? PeerError
    }
}

/// The files of a region that are kept for the next attempt.
public struct KeptFiles: Sendable {
    /// The files.
    package var files: [IncomingFile]

    /// The approximate number of bytes that are kept.
    public var byteCount: UInt64 { files.reduce(0) { $0 + $1.byteCount } }

    /// Creates a list of kept files.
    package init(files: [IncomingFile]) { self.files = files }
}

/// The error of a transfer whose received part is kept for the next attempt.
public struct IncompleteReception: Error {
    /// The reason why the reception ended.
    public var underlying: any Error
    /// The kept part.
    public var kept: KeptFiles

    /// Creates the error.
    package init(underlying: any Error, kept: KeptFiles) {
        (self.underlying, self.kept) = (underlying, kept)
    }
}

import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage
import RegionModel

/// A part that is a list of items in JSON: hikes, planned routes or waypoints.
protocol ItemListPart: RegionPart {
    associatedtype Item: RegionItem & Equatable

    /// The name by which a person can select an item as a route; nil if these items are not routes.
    func routeName(of item: Item) -> String?

    /// Returns whether receivers accept an item of the store.
    func isSendable(_ item: Item) -> Bool

    /// Whether items may hold heart rates, calories or other values of sensors.
    var mayHoldHealthData: Bool { get }

    /// Returns an item without heart rates, calories and other values of sensors.
    func withoutHealthData(_ item: Item) -> Item

    /// Returns whether an item lies in a part of the map.
    func lies(_ item: Item, in place: CutPlace) -> Bool

    /// Counts the content of sent items that concerns a person.
    func count(_ items: [Item], in personal: inout PersonalContent)

    /// Adds the line of a sent item to the outlines of the offer.
    func add(_ item: Item, to outlines: inout OutlineSelection)
}

extension ItemListPart {
    var form: PartForm { .list }

    func routeName(of item: Item) -> String? { nil }

    func isSendable(_ item: Item) -> Bool { true }

    var mayHoldHealthData: Bool { false }

    func withoutHealthData(_ item: Item) -> Item { item }

    func count(_ items: [Item], in personal: inout PersonalContent) {}

    func add(_ item: Item, to outlines: inout OutlineSelection) {}

    /// The maximum length of a list that is kept in memory to be sent, in bytes.
    private static var keptLength: UInt64 { 1 << 20 }

    func read(into offer: inout OfferDraft, _ database: Database) throws {
        let name = "The \(title)"
        let folder = offer.workspace.folder
        let file = try RegionStoreError.mapping("written", name) { try folder.createFile(kind.rawValue) }
        var list = ItemListWriter(to: file, atMost: ItemCoding.maximumSize)
        var itemCount = 0
        do {
            // The receiver would reject an item that cannot be read here, together with everything else.
            _ = try RegionItemRecord<Item>.forEachReadable(of: offer.region.id, database) { item in
                guard isSendable(item) else { return }
                if let name = routeName(of: item) { offer.routeSearch.see(name) }
                guard isSelected(item, by: offer.routes) else { return }
                if let place = offer.place, !lies(item, in: place) {
                    offer.outside[kind, default: []].insert(item.id)
                    return
                }
                var item = item
                if !offer.includesHealth, mayHoldHealthData {
                    let reduced = withoutHealthData(item)
                    if reduced != item { offer.personal.withheldHealthRecords += 1 }
                    item = reduced
                }
                count([item], in: &offer.personal)
                add(item, to: &offer.outlines)
                offer.edits.add(item, kind)
                itemCount += 1
                try list.append(item)
            }
            try list.finish()
        } catch is ItemListWriter.TooLarge {
            throw tooMany("more than \(ItemCoding.maximumSize >> 20) MiB")
        }
        guard itemCount <= ItemCoding.maximumCount else { throw tooMany("\(itemCount)") }
        if let itemKind = ItemKind(rawValue: Item.tableName) {
            try offer.edits.addRemoved(itemKind, from: offer.region.id, database)
        }
        guard itemCount > 0 else { return }
        let content = try Self.content(of: file, at: folder.path(of: kind.rawValue), called: name)
        offer.resources[kind] = {
            RegionSource.Resource(content: content, contents: try FileDigester().digest(file, path: name))
        }
    }

    /// Returns where the bytes of a list are.
    ///
    /// A short list is kept, so it can be sent whatever becomes of the folder.
    static func content(of file: OpenFile, at path: String, called name: String) throws -> ResourceContent {
        try RegionStoreError.mapping("read", name) {
            let size = try file.size()
            return size <= keptLength ? .bytes(Data(try file.prefix(Int(size)))) : .file(path: path)
        }
    }

    private func tooMany(_ number: String) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "This region has too many \(title) to send: \(number).",
            remedy: "Send the region without them."
        )
    }

    private func isSelected(_ item: Item, by routes: RouteSelection) -> Bool {
        routeName(of: item).map { routes.contains($0, item.id) } ?? true
    }

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard let entry, entry.size > ItemCoding.maximumSize else { return }
        throw ManifestValidator.refusal(
            "the \(title) have \(entry.size) bytes; at most \(ItemCoding.maximumSize) are allowed"
        )
    }

    func presence(_ local: LocalSearch) throws -> LocalPresence? {
        let (entry, regionID) = (local.entry, local.regionID)
        func isPresent(_ database: Database, _ change: (Item) -> Item) throws -> Bool {
            let digester = StreamDigester(entry.layout)
            guard try write(entry, of: regionID, to: digester, database, change) else { return false }
            return digester.finish()?.digest == entry.digest
        }
        let isPresent = try local.store.database.read { database in
            try mayHoldHealthData && isPresent(database, withoutHealthData) || isPresent(database) { $0 }
        }
        return isPresent ? .whole(.whole) : nil
    }

    /// Writes the list of the local items, if it is identical to the incoming list.
    func copyChunks(_ places: LocalPlaces, _ local: inout LocalCopy) throws {
        guard places.isWhole else { return }
        let isTaken = try local.store.database.read { [local] database in
            try mayHoldHealthData && write(local, database, withoutHealthData) || write(local, database) { $0 }
        }
        if isTaken {
            local.missing = RangeSet()
        } else {
            try local.mapping { [target = local.target] in try target.resize(to: 0) }
        }
    }

    /// Writes the list; returns false if it differs from the incoming one.
    private func write(_ local: LocalCopy, _ database: Database, _ change: (Item) -> Item) throws -> Bool {
        guard try write(local.entry, of: local.region.id, to: local.target, database, change) else { return false }
        return try FileDigester().digest(local.target, path: "The \(title) in the store").digest == local.entry.digest
    }

    /// Writes the list of the local items; returns false if it is not as long as the incoming one.
    private func write(
        _ entry: ManifestEntry,
        of regionID: UUID,
        to output: any ByteOutput,
        _ database: Database,
        _ change: (Item) -> Item
    ) throws -> Bool {
        var writer = ItemListWriter(to: output, atMost: entry.size)
        do {
            try RegionItemRecord<Item>.forEach(of: regionID, database) { try writer.append(change($0)) }
            try writer.finish()
        } catch is ItemListWriter.TooLarge {
            return false
        }
        return writer.size == entry.size
    }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        let items = ItemCoding.reader(Item.self, of: file, size: validator.entry.size, called: validator.name)
        try ItemCoding.check(items, kind) { item in
            if let name = routeName(of: item) { arrivals.routes.see(name) }
        }
    }

    /// Merges a checked list, reading its file item by item.
    func merge(
        _ entry: ManifestEntry,
        _ commit: RegionCommit,
        _ before: RegionCommit.Before,
        _ database: Database
    ) throws -> MergeCounts {
        let transfer = commit.transfer
        var items = ItemCoding.reader(
            Item.self,
            of: try transfer.arrivedFile(kind),
            size: entry.size,
            called: "The received \(title)"
        )
        var counts = MergeCounts()
        let keepsOwnEdits = transfer.keepsOwnEdits(kind)
        while let item = try items.next() {
            guard isSelected(item, by: transfer.routes) else { continue }
            // Here, because the sender may not have said all that it has edited.
            let stays = try keepsOwnEdits && ReceivedEdit.isOwn(item.id, Item.tableName, in: commit.region.id, database)
            try RegionItemRecord.merge(
                item,
                into: commit.region.id,
                replacing: transfer.replacesItems && !stays,
                &counts,
                database
            )
        }
        if counts.imported > 0 { try check(commit.region, database) }
        return counts
    }

    /// Checks that the merged items can be sent.
    private func check(_ region: Region, _ database: Database) throws {
        do {
            try ItemLimits.check(Item.self, of: region.id, kind, database)
        } catch var error as RegionStoreError where error.code == .invalidArgument {
            // Neither a wrong argument nor a fault of the sender: the two regions do not fit into one.
            error.code = .conflict
            error.remedy = "Receive the other parts without the \(title), or remove some of yours first."
            throw error
        }
    }
}

package import FoundationEssentials
import GRDB
import Glibc
import PeerProtocol
package import PeerStorage
package import RegionModel
import TrackFiles

/// A region whose items are read one by one, because together they may be larger than the memory.
package protocol RegionItems {
    /// The region. Its counts may include items that cannot be read.
    var region: RegionSummary { get }

    /// The waypoints that have a photo.
    var photoIDs: Set<UUID> { get throws }

    /// Reads the recorded hikes, the oldest first; returns the number of those that cannot be read.
    @discardableResult
    func forEachHike(_ body: (SavedRoute) throws -> Void) throws -> Int

    /// Reads the planned routes, the oldest first; returns the number of those that cannot be read.
    @discardableResult
    func forEachPlannedRoute(_ body: (PlannedRoute) throws -> Void) throws -> Int

    /// Reads the waypoints, the oldest first; returns the number of those that cannot be read.
    @discardableResult
    func forEachWaypoint(_ body: (Waypoint) throws -> Void) throws -> Int

    /// Returns the photo of a waypoint; nil if there is none.
    func photo(of waypointID: UUID) throws -> PhotoReader?
}

extension RegionItems {
    /// Counts what concerns a person.
    package func personalContent() throws -> PersonalContent {
        var content = PersonalContent()
        try forEachHike { SavedRoutesPart().count([$0], in: &content) }
        try forEachPlannedRoute { PlannedRoutesPart().count([$0], in: &content) }
        try forEachWaypoint { WaypointsPart().count([$0], in: &content) }
        for id in try photoIDs { if let photo = try photo(of: id) { try content.add(photo) } }
        return content
    }
}

extension RegionStore {
    /// Reads a region and its items in one transaction.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region; the error of `body`.
    package func withItems<Result>(of regionID: UUID, _ body: (any RegionItems) throws -> Result) throws -> Result {
        try database.read { database in
            try body(StoredItems(region: try Self.summary(regionID, database), database: database))
        }
    }

    /// Creates a file without a name, which vanishes when it is closed.
    ///
    /// It is in the store, or in the folder for temporary files if the store cannot be written.
    package func temporaryFile() throws -> OpenFile {
        try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
            do throws(SystemError) {
                return try folders.work.temporaryFile()
            } catch  where error.deniesWriting {
                return try Folder(FileManager.default.temporaryDirectory.path).temporaryFile()
            }
        }
    }
}

/// The items of a region in the store, while a transaction lasts.
private struct StoredItems: RegionItems {
    var region: RegionSummary
    var database: Database

    var photoIDs: Set<UUID> {
        get throws {
            let sql = "SELECT waypointID FROM photo WHERE regionID = ?"
            return Set(
                try Row.fetchAll(database, sql: sql, arguments: [region.id.uuidString]).map { try $0.id("waypointID") }
            )
        }
    }

    func forEachHike(_ body: (SavedRoute) throws -> Void) throws -> Int { try forEach(body) }

    func forEachPlannedRoute(_ body: (PlannedRoute) throws -> Void) throws -> Int { try forEach(body) }

    func forEachWaypoint(_ body: (Waypoint) throws -> Void) throws -> Int { try forEach(body) }

    private func forEach<Item: RegionItem>(_ body: (Item) throws -> Void) throws -> Int {
        try RegionItemRecord<Item>.forEachReadable(of: region.id, database, body).count
    }

    func photo(of waypointID: UUID) throws -> PhotoReader? {
        guard let place = try PhotoRecord.Place.fetchOne(of: waypointID, in: region.id, database) else { return nil }
        return try PhotoReader(PhotoBlob(rowID: place.rowID, isWritable: false, database))
    }
}

extension RegionSource {
    /// Reads the items that are offered, one by one; there are none if the kind is not offered.
    func forEach<Item: RegionItem>(_ part: some ItemListPart, _ body: (Item) throws -> Void) throws {
        guard let entry = manifest.entry(of: part.kind) else { return }
        var items: ItemListReader<Item>
        switch try content(of: entry) {
        case .file(let path):
            let file = try RegionStoreError.mapping("read", path) { try OpenFile(path, O_RDONLY) }
            items = ItemCoding.reader(Item.self, of: file, size: entry.size, called: part.title)
        case .bytes(let bytes):
            items = ItemListReader(Array(bytes), maximumCount: ItemCoding.maximumCount)
        }
        while let item = try items.next() { try body(item) }
    }
}

// What is left of items that are shown without what concerns a person: no texts but the name, no times, no ids. Symbols and
// colours stay.

extension PlannedRoute {
    /// Returns the route with its name, its line, its symbol and its colour.
    func withoutPersonalParts() -> PlannedRoute {
        var copy = self
        copy.supplement.words = supplement.words?.withoutTexts()
        copy.supplement.pointTexts = nil
        copy.supplement.track = supplement.track.flatMap { data in
            // A table that cannot be read says nothing, and must not be passed on.
            (try? TrackColumns(decoding: data))?.without(.time).encoded
        }
        copy.createdAt = Date(timeIntervalSince1970: 0)
        copy.modifiedAt = nil
        return copy
    }
}

extension Waypoint {
    /// Returns the waypoint with its label, its place, its category, its symbol and its colour.
    func withoutPersonalParts() -> Waypoint {
        var copy = self
        copy.note = ""
        copy.hikeID = nil
        copy.hasPhoto = false
        copy.time = Date(timeIntervalSince1970: 0)
        copy.modifiedAt = nil
        var words = supplement.words?.withoutTexts() ?? ItemWords()
        if supplement.words == nil { words.type = category.rawValue }
        // No time in the file.
        words.time = ""
        copy.supplement = ItemSupplement(words: words)
        return copy
    }
}

extension ItemWords {
    /// Returns what says how an item is drawn, and nothing that a person may have written of it.
    fileprivate func withoutTexts() -> ItemWords {
        var copy = ItemWords()
        copy.element = element
        copy.symbol = symbol
        copy.type = type
        copy.color = color
        copy.icon = icon
        return copy
    }
}

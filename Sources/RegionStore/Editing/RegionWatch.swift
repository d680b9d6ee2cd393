package import FoundationEssentials
import GRDB
import PeerStorage

/// Notices changes of a region, by whatever process.
public struct RegionWatch: Sendable {
    /// What happened to the region.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Change: Hashable, Sendable {
        case changed
        case removed
    }

    struct Stamp: Hashable {
        var number: UInt64
        var modifiedAt: Int64
        var size: UInt64
    }

    private let store: RegionStore
    private let id: UUID
    private var stamps: [Stamp?]
    private var version: RegionVersion?

    /// Watches a region from now on.
    package init(_ id: UUID, in store: RegionStore) throws {
        (self.id, self.store) = (id, store)
        // The stamps first, so that a write in between is noticed later.
        stamps = Self.stamps(of: store)
        version = try Self.version(of: id, in: store)
    }

    /// Returns what happened since the last call; nil for nothing.
    ///
    /// The region is only read if the database was written to.
    package mutating func change() throws -> Change? {
        let now = Self.stamps(of: store)
        guard now != stamps else { return nil }
        let before = version
        version = try Self.version(of: id, in: store)
        stamps = now
        return version == before ? nil : version == nil ? .removed : .changed
    }

    /// The numbers, times and sizes of the database and of its log.
    ///
    /// They must not be opened: when this process closes a file, SQLite loses all its locks of that file.
    static func stamps(of store: RegionStore) -> [Stamp?] {
        [StoreDatabase.fileName, StoreDatabase.fileName + "-wal"].map { name in
            FileStatus(path: store.folders.root.path(of: name)).map { status in
                Stamp(number: status.number, modifiedAt: status.modifiedNanoseconds, size: status.size)
            }
        }
    }

    private static func version(of id: UUID, in store: RegionStore) throws -> RegionVersion? {
        try store.database.read { database in
            guard let summary = try? RegionStore.summary(id, database) else { return nil }
            return try RegionVersion(summary, database)
        }
    }
}

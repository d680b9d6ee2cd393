package import FoundationEssentials
import GRDB
public import PeerProtocol
public import PeerStorage
import RegionModel

extension RegionStore {
    /// The trusted peers of this store.
    public var trustedPeers: TrustedPeers { TrustedPeers(database: database) }
}

/// The list of trusted peers in a store.
///
/// The key identifies a peer, and the name is for people. Names are unique: a peer with another key and the name of a trusted
/// peer counts as an impostor.
///
/// ```swift
/// try store.trustedPeers.pin(peer.id, name: "Anna")
/// for peer in try store.trustedPeers.all() { print(peer.name, peer.pinnedAt) }
/// ```
public struct TrustedPeers: Sendable {
    /// The maximum length of a name, in bytes of UTF-8.
    package static let maximumNameLength = 63

    let database: StoreDatabase

    /// Returns all trusted peers, sorted by name.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    public func all() throws -> [TrustedPeer] { try database.read { try TrustedPeerRecord.fetchPeers($0) } }

    /// Finds a trusted peer by its name, ignoring case, or by the beginning of its id.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if no peer matches,
    ///   `RegionStoreError.Code.ambiguous` if several do; the message lists them.
    package func peer(matching text: String) throws -> TrustedPeer {
        try database.read { try Self.peer(matching: text, $0) }
    }

    /// Adds a peer, or renames it if it is already trusted.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` for a name that is empty or too
    ///   long, `RegionStoreError.Code.conflict` if another trusted peer has the name.
    @discardableResult
    package func trust(_ id: PeerID, name: String, at date: Date = Date()) throws -> TrustedPeer {
        let name = try Self.checked(name)
        return try database.write { database in
            try Self.checkIsFree(name, for: id, database)
            var peer =
                try TrustedPeerRecord.fetchOne(id, database)?.peer ?? TrustedPeer(id: id, name: name, pinnedAt: date)
            peer.name = name
            try TrustedPeerRecord(peer).save(database)
            return peer
        }
    }

    /// Records a transfer with a peer that has proved its id.
    ///
    /// - Parameter isNew: Whether it was not trusted before a person compared digits in the transfer.
    /// - Returns: The peer if the transfer made it trusted; nil if nothing changed.
    package func recordTransfer(with id: PeerID, isNew: Bool) throws -> TrustedPeer? {
        try noteSeen(id)
        guard isNew else { return nil }
        return try all().first { $0.id == id }
    }

    /// Adds a peer under its display name.
    ///
    /// If another trusted peer has that name, a free name like it is used.
    ///
    /// A peer that is already trusted does not change.
    public func pin(_ id: PeerID, name: String) throws {
        try database.write { database in
            guard try TrustedPeerRecord.fetchOne(id, database) == nil else { return }
            let name = Self.freeName(for: name, id, among: try TrustedPeerRecord.fetchPeers(database))
            try TrustedPeerRecord(TrustedPeer(id: id, name: name, pinnedAt: Date())).insert(database)
        }
    }

    /// Removes a trusted peer.
    ///
    /// - Parameter text: The name of the peer, ignoring case, or the beginning of its id.
    /// - Returns: The removed peer.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if no peer matches,
    ///   `RegionStoreError.Code.ambiguous` if several do.
    @discardableResult
    public func forget(_ text: String) throws -> TrustedPeer {
        try database.write { database in
            let peer = try Self.peer(matching: text, database)
            try TrustedPeerRecord(peer).delete(database)
            return peer
        }
    }

    /// Renames a trusted peer.
    ///
    /// - Throws: As ``peer(matching:)`` and ``trust(_:name:at:)``.
    @discardableResult
    package func rename(_ text: String, to name: String) throws -> (before: TrustedPeer, after: TrustedPeer) {
        let name = try Self.checked(name)
        return try database.write { database in
            let before = try Self.peer(matching: text, database)
            try Self.checkIsFree(name, for: before.id, database)
            var after = before
            after.name = name
            try TrustedPeerRecord(after).update(database)
            return (before, after)
        }
    }

    /// Records the time of a transfer with an authenticated peer.
    ///
    /// Does nothing if the peer is not trusted.
    package func noteSeen(_ id: PeerID, at date: Date = Date()) throws {
        try database.write { database in
            guard var record = try TrustedPeerRecord.fetchOne(id, database) else { return }
            record.peer.lastSeenAt = date
            try record.update(database)
        }
    }

    /// Returns a name that is free: the wish itself, shortened if it is too long, or with a number behind it.
    static func freeName(for wish: String, _ id: PeerID, among peers: [TrustedPeer]) -> String {
        freeName(for: wish, or: id.short, among: peers.map(\.name))
    }

    /// Returns a name that is like none of others, as close to the wish as it can be, or to something else if the wish is blank.
    static func freeName(for wish: String, or other: String, among names: [String]) -> String {
        let isBlank = !wish.contains { !$0.isWhitespace }
        let base = isBlank ? other : wish
        for number in 1...(names.count + 1) {
            let suffix = number == 1 ? "" : " (\(number))"
            let name = base.prefix(utf8Count: maximumNameLength - suffix.utf8.count) + suffix
            if !names.contains(where: { PeerName.areAlike($0, name) }) { return name }
        }
        // As many names as there are others, and one more: one of them was free.
        return other
    }

    private static func peer(matching text: String, _ database: Database) throws -> TrustedPeer {
        let all = try TrustedPeerRecord.fetchPeers(database)
        if let named = all.first(where: { PeerName.areAlike($0.name, text) }) { return named }
        // The start of an id has at least four digits: fewer are more likely a word.
        let digits = text.lowercased().filter { $0 != "-" }
        let candidates = digits.utf8.count >= 4 ? all.filter { $0.id.hex.hasPrefix(digits) } : []
        guard let only = candidates.first else {
            throw RegionStoreError(
                .notFound,
                "There is no trusted machine “\(text)”.",
                remedy: all.isEmpty ? nil : "List the trusted machines to see their names and ids."
            )
        }
        guard candidates.count == 1 else {
            let list = candidates.map { "\($0.name) (\($0.id.short))" }.joined(separator: ", ")
            throw RegionStoreError(
                .ambiguous,
                "“\(text)” matches several machines: \(list).",
                remedy: "Use the full name, or more of the id."
            )
        }
        return only
    }

    private static func checked(_ name: String) throws -> String {
        guard name.contains(where: { !$0.isWhitespace }), name.utf8.count <= maximumNameLength else {
            throw RegionStoreError(
                .invalidArgument,
                "“\(name.prefix(50))” is not a valid name for a peer: it is empty or longer than \(maximumNameLength) bytes."
            )
        }
        return name
    }

    private static func checkIsFree(_ name: String, for id: PeerID, _ database: Database) throws {
        let other = try TrustedPeerRecord.fetchPeers(database).first { $0.id != id && PeerName.areAlike($0.name, name) }
        guard let other else { return }
        throw RegionStoreError(
            .conflict,
            "Another trusted peer is called “\(other.name)” (\(other.id.short)).",
            remedy: "Choose another name, or rename or forget that peer first."
        )
    }
}

extension TrustedPeers: TrustStore {
    /// Returns whether a peer is trusted.
    public func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust {
        try knownTrust(of: id, callingItself: name)
    }

    /// Returns whether a peer is trusted, without waiting for anything else.
    package func knownTrust(of id: PeerID, callingItself name: String) throws -> PeerTrust {
        try database.read { database in
            let peers = try TrustedPeerRecord.fetchPeers(database)
            if let known = peers.first(where: { $0.id == id }) { return .trusted(name: known.name) }
            return peers.first { PeerName.areAlike($0.name, name) }.map { .impostor(name: $0.name) } ?? .unknown
        }
    }
}

package import FoundationEssentials
import GRDB
import MapFiles
package import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// The confirmed phones of this store.
    package var confirmedPhones: ConfirmedPhones { ConfirmedPhones(database: database) }
}

/// The list of phones that a person has confirmed in a store.
///
/// It is a list of names for certificates, apart from ``TrustedPeers``: no phone in it may do anything that another one may not.
package struct ConfirmedPhones: Sendable {
    /// The maximum number of phones; those that were not found for the longest time are forgotten.
    package static let maximumCount = 200
    /// The maximum length of the name that a device claims, in bytes of UTF-8.
    private static let maximumAliasLength = 100

    let database: StoreDatabase

    /// Returns all confirmed phones, sorted by name.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    package func all() throws -> [ConfirmedPhone] { try database.read { try Self.all($0) } }

    /// Adds a phone, or renames it if it is already confirmed.
    ///
    /// - Parameters:
    ///   - id: The SHA-256 digest of its certificate.
    ///   - name: The name that it gets. It is cut if it is long, and gets a number if another phone or a trusted machine has it.
    ///   - alias: What it calls itself.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be written.
    @discardableResult
    package func confirm(
        _ id: ContentDigest,
        name: String,
        alias: String,
        at date: Date = Date()
    ) throws -> ConfirmedPhone {
        try database.write { database in
            let known = try Self.all(database).first { $0.id == id }
            let phone = ConfirmedPhone(
                id: id,
                name: try Self.freeName(for: name, id, database),
                alias: alias.prefix(utf8Count: Self.maximumAliasLength),
                confirmedAt: known?.confirmedAt ?? date,
                seenAt: date
            )
            try database.execute(
                sql: "INSERT OR REPLACE INTO confirmedPhone VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    Data(id.bytes), phone.name, phone.alias, phone.confirmedAt.timeIntervalSince1970,
                    phone.seenAt.timeIntervalSince1970,
                ]
            )
            try database.execute(
                sql: """
                    DELETE FROM confirmedPhone
                    WHERE id NOT IN (SELECT id FROM confirmedPhone ORDER BY seenAt DESC, confirmedAt DESC LIMIT ?)
                    """,
                arguments: [Self.maximumCount]
            )
            return phone
        }
    }

    /// Records that a phone was found; does nothing if it is not confirmed.
    package func noteSeen(_ id: ContentDigest, at date: Date = Date()) throws {
        try database.write { database in
            try database.execute(
                sql: "UPDATE confirmedPhone SET seenAt = ? WHERE id = ?",
                arguments: [date.timeIntervalSince1970, Data(id.bytes)]
            )
        }
    }

    /// Removes a phone.
    ///
    /// - Parameter text: The name of the phone, ignoring case, or the beginning of the digest of its certificate.
    /// - Returns: The removed phone.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if no phone matches,
    ///   `RegionStoreError.Code.ambiguous` if several do.
    @discardableResult
    package func forget(_ text: String) throws -> ConfirmedPhone {
        try database.write { database in
            let phone = try Self.phone(matching: text, among: try Self.all(database))
            try database.execute(sql: "DELETE FROM confirmedPhone WHERE id = ?", arguments: [Data(phone.id.bytes)])
            return phone
        }
    }

    /// Gives a phone another name, or one like it if a trusted machine or another phone has that name.
    ///
    /// - Throws: As ``forget(_:)``.
    @discardableResult
    package func rename(_ text: String, to name: String) throws -> (before: ConfirmedPhone, after: ConfirmedPhone) {
        try database.write { database in
            let before = try Self.phone(matching: text, among: try Self.all(database))
            var after = before
            after.name = try Self.freeName(for: name, before.id, database)
            try database.execute(
                sql: "UPDATE confirmedPhone SET name = ? WHERE id = ?",
                arguments: [after.name, Data(before.id.bytes)]
            )
            return (before, after)
        }
    }

    private static func freeName(for name: String, _ id: ContentDigest, _ database: Database) throws -> String {
        let machines = try TrustedPeerRecord.fetchPeers(database).map(\.name)
        let names = machines + (try all(database).filter { $0.id != id }.map(\.name))
        return TrustedPeers.freeName(for: name, or: String(id.hex.prefix(8)), among: names)
    }

    private static func phone(matching text: String, among phones: [ConfirmedPhone]) throws -> ConfirmedPhone {
        if let named = phones.first(where: { PeerName.areAlike($0.name, text) }) { return named }
        // As with ids of machines, fewer digits are more likely a word.
        let digits = text.lowercased()
        let candidates = digits.utf8.count >= 4 ? phones.filter { $0.id.hex.hasPrefix(digits) } : []
        guard let only = candidates.first else {
            throw RegionStoreError(.notFound, "There is no phone “\(text.prefix(50))”.")
        }
        guard candidates.count == 1 else {
            throw RegionStoreError(.ambiguous, "“\(text)” matches several phones.", remedy: "Use the full name.")
        }
        return only
    }

    private static func all(_ database: Database) throws -> [ConfirmedPhone] {
        try Row.fetchAll(database, sql: "SELECT * FROM confirmedPhone ORDER BY name COLLATE NOCASE, id").map { row in
            let bytes: Data = row["id"]
            guard let id = bytes.withUnsafeBytes({ ContentDigest(bytes: $0) }) else {
                throw ImpossibleValue(column: "id")
            }
            return ConfirmedPhone(
                id: id,
                name: row["name"],
                alias: row["alias"],
                confirmedAt: row.date("confirmedAt"),
                seenAt: row.date("seenAt")
            )
        }
    }
}

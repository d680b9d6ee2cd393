import GRDB

extension RegionStore {
    /// Returns the display name of this machine, which the store keeps.
    ///
    /// The first call stores the result of `make`.
    package func displayName(orElse make: () -> String) throws -> String {
        try setting("displayName", orElse: make)
    }

    private func setting(_ name: String, orElse make: () -> String) throws -> String {
        func known(_ database: Database) throws -> String? {
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
        }
        // Reading does not wait for a process that writes.
        if let value = try database.read(known) { return value }
        return try database.write { database in
            if let value = try known(database) { return value }
            let value = make()
            try database.execute(sql: "INSERT INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
            return value
        }
    }
}

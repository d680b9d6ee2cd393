import GRDB

extension RegionStore {
    /// Returns the name under which this store shows itself to others; the first time, the one that `make` makes.
    ///
    /// It is the same from then on, whichever process asks.
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

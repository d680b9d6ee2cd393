import GRDB

extension RegionStore {
    /// Returns the name under which this store shows itself to others; the first time, the one that `make` makes.
    ///
    /// It is the same from then on, whichever process asks.
    public func displayName(orElse make: () -> String) throws -> String {
        try setting("displayName", orElse: make)
    }

    private func setting(_ name: String, orElse make: () -> String) throws -> String {
        try database.write { database in
            let select = "SELECT value FROM setting WHERE name = ?"
            if let known = try String.fetchOne(database, sql: select, arguments: [name]) { return known }
            let value = make()
            try database.execute(sql: "INSERT INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
            return value
        }
    }
}

package import PeerStorage
import RegionModel

/// Archives of tiles that are SQLite files.
package enum DatabaseArchive {
    /// Opens an archive.
    ///
    /// - Returns: The archive; nil if the file is none, such as an MBTiles file.
    package static func open(_ database: UntrustedDatabase, scratch: Folder) throws -> (any TileArchive)? {
        // Programs that write GeoPackages add triggers, which run only when rows are changed, and virtual tables.
        let all = try UntrustedSchema(of: database, allowsUnused: true)
        if all.contains("gpkg_contents") { return try GeoPackageArchive.open(database, all, scratch: scratch) }
        guard all.contains("tiles") else { return nil }
        let schema = try UntrustedSchema(of: database)
        guard try !database.hasColumns(MapDescription.columns, of: "tiles"),
            try database.hasColumns(OsmAndArchive.columns, of: "tiles")
        else { return nil }
        return try OsmAndArchive.open(database, schema, scratch: scratch)
    }

    /// Returns what the import of an archive, or of another database with tiles, takes at most.
    package static func cost(of database: UntrustedDatabase, scratch: Folder) throws -> ImportCost {
        if let archive = try Self.open(database, scratch: scratch) { return try archive.cost() }
        // The positions of a map whose `tiles` are a view are most often in `map`.
        let isView = try UntrustedSchema(of: database).kinds["tiles"] == "view"
        return try ImportCost(ofDatabase: database, table: isView ? "map" : "tiles")
    }
}

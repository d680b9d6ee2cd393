import Glibc
package import PeerCore

/// The check of a map or routing database that somebody else made, without a store around it.
package enum ForeignFile {
    /// Checks a file as an import does, or as is done with one that has arrived.
    ///
    /// - Parameters:
    ///   - path: Where it is; nobody else may be changing it.
    ///   - kind: What it should be.
    ///   - isThorough: Whether every page is read, as for an import.
    ///   - seconds: How long it may take.
    /// - Throws: ``RegionStoreError`` if it is not acceptable.
    package static func check(_ path: String, as kind: ResourceKind, isThorough: Bool, seconds: Double) throws {
        let header = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            try OpenFile(path, O_RDONLY)
        }
        _ = try DatabaseHeader(of: header, path: path)
        let database = try ForeignDatabase(path, .immutable, seconds: seconds)
        let thoroughness: MBTilesFile.Thoroughness = isThorough ? .everything : .quick
        if kind == .routing {
            _ = try RoutingFile(checking: database, thoroughness)
        } else {
            _ = try MBTilesFile(checking: database, thoroughness)
        }
    }
}

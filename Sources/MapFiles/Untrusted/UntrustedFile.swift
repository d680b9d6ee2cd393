import Glibc
package import PeerProtocol
import PeerStorage
import RegionModel

/// The check of an untrusted map or routing database, without a store.
package enum UntrustedFile {
    /// Checks a file like an import or a reception.
    ///
    /// - Parameters:
    ///   - path: The path. The file must not change during the check.
    ///   - kind: The expected kind.
    ///   - isThorough: Whether every page is read, as for an import.
    ///   - seconds: The maximum processor time, in seconds.
    /// - Throws: `RegionStoreError` if the file is not acceptable.
    package static func check(_ path: String, as kind: ResourceKind, isThorough: Bool, seconds: Double) throws {
        let header = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
            try OpenFile(path, O_RDONLY)
        }
        _ = try DatabaseHeader(of: header, path: path)
        let limits = CheckLimits(seconds: seconds, memory: CheckLimits.thorough(size: 0).memory)
        let database = try UntrustedDatabase(path, .immutable, within: limits)
        if kind == .routing {
            try RoutingFile.checkKind(of: database)
            if isThorough {
                try database.checkPages()
                try RoutingFile.checkRows(of: database)
            }
            _ = try RoutingFile(checking: database)
        } else {
            try MBTilesFile.checkKind(of: database)
            if isThorough {
                try database.checkPages()
                _ = try MBTilesFile.emptyTileCount(of: database)
            }
            let map = try MBTilesFile(checking: database)
            if isThorough, let highest = map.extents.last { try checkFinding(highest, in: path, called: path) }
        }
    }
}

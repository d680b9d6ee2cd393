import Glibc
package import PeerProtocol
import PeerStorage
import RegionModel

/// The check of an untrusted map or routing database, without a store.
package enum UntrustedFile {
    /// Checks a file like an import or a reception.
    ///
    /// - Parameter seconds: The maximum processor time, in seconds.
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
            try MapDescription.checkKind(of: database)
            if isThorough {
                try database.checkPages()
                _ = try MapDescription.emptyTileCount(of: database)
            }
            let map = try MapDescription(checking: database)
            if isThorough, let highest = map.coverage.levels.last { try checkFinding(highest, in: path, called: path) }
        }
    }
}

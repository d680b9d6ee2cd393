import FoundationEssentials
import PeerCore
package import RegionStore

/// What an import has done.
package struct ImportSummary: Sendable {
    /// The regions to which something was added, or that have all of it already.
    package internal(set) var regions: [RegionSummary] = []
    package internal(set) var leftOut: [LeftOutFile] = []
    var touched: Set<UUID> = []
    var refusals: RefusedFiles

    init(refusals: RefusedFiles) { self.refusals = refusals }

    /// The files that cannot be imported.
    package var refused: [RefusedFile] { refusals.files }
}

import PeerCore
import RegionStore

/// A file that an import has left out.
package struct LeftOutFile: Hashable, Sendable {
    /// Why a file was left out.
    package enum Reason: Hashable, Sendable {
        /// A person did not want it.
        case declined
        /// It is nothing to import, and why if that is not plain.
        case unknown(String?)
        /// It shows so many waypoints, and not one.
        case photo(candidates: Int)
    }

    package var path: String
    package var why: Reason
}

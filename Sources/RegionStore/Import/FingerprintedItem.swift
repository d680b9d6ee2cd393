import Crypto
import RegionModel
import TrackFiles

/// An item that can be recognised by its content.
protocol FingerprintedItem: RegionItem {
    /// The fingerprint; nil if the item cannot be read.
    var fingerprint: SHA256.Digest? { get }
}

extension Waypoint: FingerprintedItem {}
extension PlannedRoute: FingerprintedItem {}
extension SavedRoute: FingerprintedItem {}

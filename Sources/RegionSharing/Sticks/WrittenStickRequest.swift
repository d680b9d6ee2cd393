import PeerCore
package import RegionStore

/// A request that was written to a stick.
public struct WrittenStickRequest: Sendable {
    /// The path of the file.
    public var path: String
    /// The folder of the stick.
    public var folder: String
    package var request: StickRequest
    /// Whether it replaces a former one, so that what is sealed for that one cannot be opened any more.
    public var isReplacement = false
}

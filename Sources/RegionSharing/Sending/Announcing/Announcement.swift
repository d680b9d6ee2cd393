public import Logging
import PeerCore

/// How a sender is announced.
public struct Announcement: Sendable {
    /// Whether it says nothing of the regions.
    public var isPrivate = false
    /// What else it says of the regions.
    public var marks: [String: String] = [:]
    /// Logs details of it.
    public var logger = Logger(label: "RegionSharing.discovery")

    /// Creates an announcement of the regions.
    public init() {}
}

package import FoundationEssentials

/// The receiver has a resource whole, verified and stored.
package struct Confirmation: Hashable, Sendable, Codable {
    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Its digest.
    package var digest: ContentDigest

    package init(resource: Int, digest: ContentDigest) {
        self.resource = resource
        self.digest = digest
    }
}

/// The sender has sent everything.
package struct Completion: Hashable, Sendable, Codable {
    /// The manifest's id.
    package var id: UUID

    /// Creates the end of the transfer with the given id.
    package init(id: UUID) { self.id = id }
}

/// The sender asks the receiver to open further connections of the transfer, called lanes.
package struct LaneInvitation: Hashable, Sendable, Codable {
    /// What each of them has to say first.
    package var secret: ConnectionSecret
    /// How many more are to be opened, from 1.
    package var count: Int

    package init(secret: ConnectionSecret, count: Int) {
        self.secret = secret
        self.count = count
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool { (1...limits.maximumLaneCount).contains(count) }
}

/// The receiver says which transfer a new connection belongs to: the connection's first frame.
package struct LaneJoin: Hashable, Sendable, Codable {
    /// What the transfer's sender has said.
    package var secret: ConnectionSecret

    package init(secret: ConnectionSecret) { self.secret = secret }
}

/// The sender has handed out everything that was requested of a resource, some of it over lanes, and closed them.
package struct AllDispatched: Hashable, Sendable, Codable {
    /// The position of the resource in the manifest, from 0.
    package var resource: Int

    package init(resource: Int) { self.resource = resource }
}

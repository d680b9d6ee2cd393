import NearbyPeers

/// What the host asks first, on each new link.
struct Handshake: PeerRequest {
    static let messageName = "handshake"
    /// The client's answer.
    struct Response: Codable, Sendable {
        var status: String
        var deviceID: String
        var platform: String
    }
    var deviceID: String
    var platform: String
}

/// Asks the client to put a picture on the light box; answered by the person there.
struct ShowPicture: PeerRequest {
    static let messageName = "show-picture"
    /// The person's answer.
    struct Response: Codable, Sendable {
        var isVisible: Bool
    }
    var name: String
}

/// A note for the person at the client.
struct Note: PeerMessage {
    static let messageName = "note"
    var text: String
}

import NearbyPeers

struct Line: PeerMessage, Hashable {
    static let messageName = "chat.line"
    var text: String
}

struct Position: PeerMessage, Hashable {
    static let messageName = "position"
    var number: Int
}

struct Greeting: PeerRequest, Hashable {
    static let messageName = "greeting"
    typealias Response = String
    var name: String
}

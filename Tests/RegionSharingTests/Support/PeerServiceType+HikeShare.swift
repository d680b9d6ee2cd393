import PeerCore

extension PeerServiceType {
    static let hikeshare = PeerServiceType(known: "hikeshare", defaultPort: 64_453)
}

import PeerCore

extension PeerServiceType {
    /// The service type of hikeshare.
    static let hikeshare = PeerServiceType(known: "hikeshare", defaultPort: 64_453)
}

package import Logging
package import PeerCore
package import RegionSharing
package import RegionStore

/// The names of this program.
package enum Software {
    package static let name = "hikeshare"
    /// The version, the only place where it is written.
    package static let version = "0.1.0"
    /// The name and version that peers see.
    package static let description = "\(name) \(version)"

    /// Returns a logger for a part of the program, such as `sender`.
    package static func logger(_ part: String) -> Logger { Logger(label: "\(name).\(part)") }
}

extension PeerServiceType {
    /// The service type of hikeshare; it also names the share links (`HIKESHARE://`) and the protocol in the TLS
    /// handshake.
    ///
    /// The default port ends with HIKE on the keys of a phone. It is above the ports that Linux uses for outgoing connections.
    package static let hikeshare = PeerServiceType(known: "hikeshare", defaultPort: 64_453)
}

extension PeerBrowser {
    /// Creates a browser for machines that run this program.
    ///
    /// - Parameters:
    ///   - ownID: The id of this machine, which is not reported; nil to report every machine.
    ///   - limit: The duration of the search; a missing Avahi daemon is reported by then.
    package static func nearby(except ownID: PeerID? = nil, within limit: Duration? = nil) -> PeerBrowser {
        PeerBrowser(
            serviceType: .hikeshare,
            ownID: ownID,
            backend: limit.map { AvahiDiscovery(within: $0) } ?? AvahiDiscovery(),
            logger: Software.logger("discovery")
        )
    }
}

extension RegionStore {
    /// Returns the description of this machine with this program.
    package func localPeer(name: OwnName? = nil) throws -> LocalPeer {
        try localPeer(name: name, for: .hikeshare, software: Software.description)
    }
}

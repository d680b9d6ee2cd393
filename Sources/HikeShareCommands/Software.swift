import Logging
import PeerCore

/// The names of this program.
enum Software {
    /// The name.
    static let name = "hikeshare"

    /// The version, the only place where it is written.
    static let version = "0.1.0"

    /// The name and version that peers see.
    static let description = "\(name) \(version)"

    /// Returns a logger for a part of the program, such as `sender`.
    static func logger(_ part: String) -> Logger {
        Logger(label: "\(name).\(part)")
    }
}

extension PeerServiceType {
    /// The service type of hikeshare; it also names the share links (`HIKESHARE://`) and the protocol in the TLS
    /// handshake.
    ///
    /// The default port ends with HIKE on the keys of a phone. It is above the ports that Linux uses for outgoing connections.
    static let hikeshare = PeerServiceType(known: "hikeshare", defaultPort: 64_453)
}

import PeerCore
import WebServer

/// Keys and certificates for tests.
enum Identities {
    /// The PEM text of a new key and its certificate.
    static func pem() throws -> String {
        try PeerIdentity.generate(for: try PeerServiceType(validating: "webtest")).pemRepresentation
    }

    /// A new key and its certificate.
    static func new() throws -> WebIdentity { try WebIdentity(pem: pem()) }
}

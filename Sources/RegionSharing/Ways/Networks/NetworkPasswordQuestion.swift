package import PeerCore

/// The password of a sender's network.
package struct NetworkPasswordQuestion: Question {
    package let name: String
    private let application: PeerServiceType

    init(of name: String, for application: PeerServiceType) {
        (self.name, self.application) = (name, application)
    }

    package var defaultAnswer: ShareLinkNetwork? { nil }

    /// Returns the network with a password that a person has typed; nil if no network has such a password.
    package func network(password: String) -> ShareLinkNetwork? {
        ShareLinkNetwork(named: name, password: password, for: application)
    }
}

import NetworkManager
package import PeerCore

/// The Wi-Fi network that a sender has made.
package struct OwnHotspot: Sendable {
    package let name: String
    /// The name and the password.
    package let credentials: ShareLinkNetwork
    /// The interface of the Wi-Fi card.
    let interface: String
    /// Returns the addresses of this machine in the network, without zones.
    let hosts: @Sendable () -> Set<String>
    /// Waits until another program ends the network, or the task is cancelled.
    let waitForEnd: @Sendable () async -> Void

    /// Returns the IPv4 address of this machine in the network, which phones need.
    package func requireIPv4() throws -> String {
        guard let address = hosts().filter({ !$0.contains(":") }).min() else {
            throw NetworkError.noIPv4(name: name)
        }
        return address
    }

    /// Waits until another program ends the network.
    func throwAtItsEnd() async throws {
        await waitForEnd()
        guard !Task.isCancelled else { return }
        throw NetworkError.ended(name: name)
    }

    /// Returns addresses with those of this network first.
    func sorted(_ addresses: [String]) -> [String] {
        let own = hosts()
        func isOwn(_ text: String) -> Bool {
            guard let host = PeerAddress(parsing: text)?.host else { return false }
            return own.contains(host) || host.hasSuffix("%" + interface)
        }
        return addresses.filter(isOwn) + addresses.filter { !isOwn($0) }
    }
}

extension OwnHotspot {
    init(_ name: String, _ credentials: ShareLinkNetwork, _ network: TemporaryNetwork) {
        self.init(
            name: name,
            credentials: credentials,
            interface: network.interface,
            hosts: { network.hosts },
            waitForEnd: { await network.waitForEnd() }
        )
    }
}

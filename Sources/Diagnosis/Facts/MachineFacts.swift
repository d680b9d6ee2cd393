package import HostNetwork
import PeerStorage

/// The state of this machine, as far as it is known without sending anything.
package struct MachineFacts: Hashable, Sendable {
    /// The way of packets to a neighbour in a local network.
    package struct LocalRoute: Hashable, Sendable {
        /// The interface that has an address in the network.
        package var interface: String
        /// The network, such as `192.168.1.7/24`, by this machine's address.
        package var network: String
        /// The interface over which the kernel sends to a neighbour; nil if there is no route.
        package var used: String?
    }

    package var interfaces: [InterfaceFacts] = []
    /// The switches of Wi-Fi radios.
    package var radios: [RadioFacts] = []
    /// The ways to neighbours.
    package var localRoutes: [LocalRoute] = []
    /// The interface over which the kernel sends to the internet; nil if there is no route.
    package var internetInterface: String?
    /// The firewall that seems to be active; nil for none.
    package var firewall: Firewall?
    /// Whether the firewall was opened since the start of the system.
    package var isFirewallOpened = false

    /// The interfaces that lead to a local network at the moment.
    package var usableInterfaces: [InterfaceFacts] { interfaces.filter(\.isUsable) }

    /// Whether there is a Wi-Fi radio, and every one is switched off.
    package var isRadioOff: Bool { !radios.isEmpty && radios.allSatisfy { $0.isOffBySoftware || $0.isOffBySwitch } }

    package func interface(_ name: String?) -> InterfaceFacts? {
        name.flatMap { name in interfaces.first { $0.name == name } }
    }

    /// Whether this machine has an address; one that another machine has, too, and the kernel therefore does not use, is not its own.
    package func has(_ address: IPAddress) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.address == address && $0.state != .duplicate } }
    }
}

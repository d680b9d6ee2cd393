package import Diagnosis
import HostNetwork

extension Finding {
    /// What was found, and why it matters, in words that a person without technical knowledge understands.
    ///
    /// Names of peers stand in it as they claim them; escape it before you show it.
    package var message: String {
        switch subject {
        case .network: networkMessage
        case .discovery, .firewall: discoveryMessage
        case .peers: peerMessage
        case .clock: clockMessage
        case .storage: storageMessage
        }
    }

    private var networkMessage: String {
        switch kind {
        case .address(let interfaces):
            "This machine has an address on a local network: \(interfaces.map(\.addressWords).joined(separator: "; "))."
        case .noInterface: "This laptop has no network card that leads to other machines."
        case .radioOff: "This laptop is on no network (Wi-Fi is switched off)."
        case .interfaceDown(let names):
            "This laptop is on no network (\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") off)."
        case .noCarrier(let ready):
            "This laptop is on no network ("
                + ready.map { "\($0.name) has no \($0.isWireless ? "Wi-Fi" : "cable")" }.joined(separator: ", ") + ")."
        case .noAddress(let interface):
            "\(interface.name) is connected, but has no address, so no other machine can be reached over it."
        case .networkingOff: "This laptop is on no network: networking is switched off in NetworkManager."
        case .tunnelTakesNetwork(let tunnel, let network):
            "The VPN or tunnel \(tunnel) takes the packets for the local network of \(network), "
                + "so they do not reach the machines there."
        case .containersTakeNetwork(let bridge, let network):
            "\(bridge), a network of containers or virtual machines on this machine, has the addresses of the network "
                + "of \(network), so packets do not reach the machines there."
        case .tunnelActive(let tunnel):
            "The VPN or tunnel \(tunnel) is active. Some VPNs keep machines on the local network apart."
        case .tunnelBlocks(let tunnel):
            "The VPN or tunnel \(tunnel) has the way to the internet, and packets of this machine to machines nearby do not "
                + "get out or in: the VPN blocks the local network."
        case .routeRefused(let interface, let network):
            "This machine sends nothing into its own network (\(network) on \(interface)): a rule of a VPN keeps the packets "
                + "back, or a route is missing."
        case .cardTakesNetwork(let card, let network):
            "\(card) and \(network) have networks of the same addresses, and packets for a machine that is heard on \(network) "
                + "leave by \(card)."
        case .sharedAddress(let shared, let peer?, _):
            "\(peer) has an address that this machine has, too (\(shared.map(\.words).joined(separator: ", "))), so packets for it "
                + "never leave."
        case .sharedAddress(let shared, nil, _):
            "Another machine in this network has an address of this one (probably "
                + "\(shared.prefix(2).map(\.words).joined(separator: ", or "))), so the system drops its packets."
        case .duplicateAddress(let address, let interface):
            "Another machine has the same IPv6 address (\(address) on \(interface)), so this one cannot use it."
        case .ownNetwork(.possible(let interface, let servesPhones)):
            "This machine can make a Wi-Fi network of its own (\(interface))"
                + (servesPhones ? "." : ", but phones cannot use it, because dnsmasq is missing.")
        case .ownNetwork(.impossible(let reason, _, _)), .ownNetwork(.networkingOff(let reason, _, _)):
            "This machine cannot make a Wi-Fi network of its own. \(reason)"
        default: ""
        }
    }

    private var discoveryMessage: String {
        let ofDiscovery = "the packets with which machines find each other (UDP port 5353)"
        return switch kind {
        case .avahi(let names): "Avahi is running and uses \(names.joined(separator: ", "))."
        case .avahiTrouble(let trouble): trouble.message
        case .multicastLost(let addresses):
            "This network does not carry packets to everybody towards this machine. When it is asked directly, another "
                + "machine answers (\(addresses.joined(separator: ", ")))."
        case .multicast(let names): "Multicast packets go out and come in on \(names.joined(separator: ", "))."
        case .multicastOff(let interface):
            "Multicast, with which machines find each other, is switched off on \(interface)."
        case .multicastBlocked(let interface, let isOutgoing, let onlyIPv6):
            "The firewall of this machine "
                + (isOutgoing
                    ? "does not let \(ofDiscovery) go out on \(interface)."
                    : "drops \(ofDiscovery) when they come in on \(interface).")
                + (onlyIPv6.map { " This concerns only \($0 ? "IPv6" : "IPv4")." } ?? "")
        case .phonesBlocked(let interface, let isOutgoing):
            "The firewall of this machine "
                + (isOutgoing
                    ? "does not let packets to phones with LocalSend (UDP port 53317) go out on \(interface)."
                    : "drops packets of phones with LocalSend (UDP port 53317) when they come in on \(interface).")
        case .phonePortTaken:
            "The port of LocalSend (TCP port 53317) is in use on this machine, by LocalSend or by this program. Phones reach "
                + "what is started later at another port, which changes each time."
        case .firewallActive(let firewall, let port):
            "The firewall \(firewall.rawValue) is active on this machine. It may reject connections to TCP port \(port), "
                + "which a sender needs."
        case .noFirewall: "No firewall service seems to be active on this machine."
        case .outgoingBlocked(let place): "The firewall of this machine does not let it connect to \(place.full)."
        case .incomingBlocked(let place):
            "\(place.full) hears this one, but cannot connect to it: the firewall of this machine drops its packets, or "
                + "something on the way does."
        case .answersBlocked(let place):
            "Packets of this machine reach \(place.full), but the answers do not come in: the firewall of this machine drops "
                + "them, or the network loses them."
        default: ""
        }
    }

    private var clockMessage: String {
        let consequence =
            "Connecting does not need the right time, but if the same hike or waypoint was edited on both machines, "
            + "the wrong version may win."
        func text(_ days: UInt64?) -> String { days.map { $0 == 1 ? "1 day" : "\($0) days" } ?? "many years" }
        return switch kind {
        case .clockBehind(let days, .store):
            "The clock of this machine is at least \(text(days)) behind, or was ahead when a file in the store was written. "
                + consequence
        case .clockBehind(let days, .program):
            "The clock of this machine is at least \(text(days)) behind: the file of this program is newer. \(consequence)"
        case .clockDiffers(let days):
            "The system's clock and the hardware clock differ by \(text(days)), so one of them is wrong. \(consequence)"
        default: "The clock is plausible."
        }
    }

    private var storageMessage: String {
        func megabytes(_ bytes: UInt64?) -> String { String((bytes ?? 0) / 1_000_000) }
        return switch kind {
        case .readOnly(let store): "The disk with \(store.path) is mounted read-only, so nothing can be received."
        case .noPermission(let store):
            "You have no permission to write to \(store.path), so nothing can be received."
        case .openToOthers(let store):
            "\(store.path) can be changed by other users of this machine, so nothing is received there."
        case .diskFull(let store) where !store.hasFreeFiles:
            "The disk with \(store.path) has room for no further file, so nothing can be received."
        case .diskFull(let store):
            "The disk with \(store.path) is full: nothing can be received below \(megabytes(store.reserve)) MB free "
                + "(\(megabytes(store.free)) MB are left)."
        case .diskLow(let store):
            "The disk with \(store.path) has only \(megabytes(store.free)) MB left. A large map does not fit."
        case .space(let store): "The disk has room: \(megabytes(store.free)) MB free in \(store.path)."
        default: ""
        }
    }
}

extension Finding.Place {
    /// The name, and the address with the port.
    var full: String { text.map { "\(name) (\($0))" } ?? name }

    var link: String { interface ?? "the network" }
}

extension InterfaceFacts {
    fileprivate var addressWords: String {
        "\(name) (\(readyAddresses.map(\.address.description).joined(separator: ", ")))"
    }
}

extension PeerFacts.SharedAddress {
    fileprivate var words: String { "\(address) on \(interface)" }
}

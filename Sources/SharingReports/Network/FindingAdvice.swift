package import Diagnosis
import PeerCore

/// What a person can do about a finding.
package struct FindingAdvice {
    /// What to do; nil if nothing has to be done.
    package var remedy: String?
    /// The commands to run, one after the other; most need none.
    package var commands: [String] = []
    /// What to do where nobody types commands; nil for the same words.
    private var elsewhere: String?

    private init(_ remedy: String?, _ commands: [String] = [], elsewhere: String? = nil) {
        (self.remedy, self.commands, self.elsewhere) = (remedy, commands, elsewhere)
    }

    /// Says what to do about a finding.
    package init(for finding: Finding) {
        self =
            switch finding.subject {
            case .network: Self.network(finding)
            case .discovery, .firewall: Self.discovery(finding)
            case .peers: Self.peers(finding)
            case .clock: Self.clock(finding)
            case .storage: Self.storage(finding)
            }
    }

    /// What to do where nobody types commands: it names no command.
    package var window: String? {
        if let elsewhere { return elsewhere }
        return remedy.map { Wording.sentence($0, naming: []) }
    }

    private static func network(_ finding: Finding) -> FindingAdvice {
        let endVPN = "Allow the local network in the settings of the VPN's program, or end the VPN while you share."
        switch finding.kind {
        case .noInterface:
            return FindingAdvice("Plug in a network adapter, or check with 'ip link' whether the system knows it.")
        case .radioOff(bySwitch: true):
            return FindingAdvice(
                "Switch it on with the switch or the key with an antenna or an aeroplane on this machine."
            )
        case .radioOff(bySwitch: false):
            return FindingAdvice("Switch it on, or leave the aeroplane mode:", ["sudo rfkill unblock wifi"])
        case .interfaceDown(let names):
            return FindingAdvice("Switch it on:", names.first.map { ["sudo ip link set \($0) up"] } ?? [])
        case .noCarrier: return FindingAdvice("Plug in a cable to the other laptop, or join its Wi-Fi.")
        case .noAddress(let interface): return address(for: interface)
        case .networkingOff(let facts), .ownNetwork(let facts):
            switch facts {
            case .possible(_, servesPhones: false):
                return FindingAdvice("Install it:", ["sudo apt install dnsmasq-base"])
            case .possible: return FindingAdvice(nil)
            case .impossible(_, let remedy, let command), .networkingOff(_, let remedy, let command):
                return FindingAdvice(remedy, command.map { [$0] } ?? [])
            }
        case .tunnelTakesNetwork(let tunnel, _):
            return FindingAdvice(
                "Disconnect the VPN while you share, or switch its interface off:",
                ["sudo ip link set \(tunnel) down"]
            )
        case .containersTakeNetwork(let bridge, _):
            return FindingAdvice(
                "Give it other addresses, or switch it off while you share:",
                ["sudo ip link set \(bridge) down"]
            )
        case .tunnelActive:
            return FindingAdvice("If the other machine is not found, disconnect the VPN on both machines.")
        case .tunnelBlocks, .routeRefused: return FindingAdvice(endVPN)
        case .cardTakesNetwork(let card, _):
            return FindingAdvice("Unplug \(card) while you share, or switch it off:", ["sudo ip link set \(card) down"])
        case .sharedAddress(let shared, _, let other):
            guard let first = shared.first else { return FindingAdvice(nil) }
            // An interface that is only switched off keeps its addresses.
            let removal = "sudo ip addr del \(first.address)/\(first.prefixLength) dev \(first.interface)"
            guard let other else { return FindingAdvice("Take the address away while you share:", [removal]) }
            return FindingAdvice(
                "Give this machine another address, or disconnect one of the two from the network and connect it again:",
                [removal, "sudo ip addr add \(other) dev \(first.interface)"]
            )
        case .duplicateAddress(_, let interface):
            return FindingAdvice(
                "Let it choose another one:",
                [
                    // Written with slashes, the name of the setting may contain an interface name with dots.
                    "sudo sysctl -w net/ipv6/conf/\(interface)/addr_gen_mode=3", "sudo ip link set \(interface) down",
                    "sudo ip link set \(interface) up",
                ]
            )
        default: return FindingAdvice(nil)
        }
    }

    private static func address(for interface: InterfaceFacts) -> FindingAdvice {
        let name = interface.name
        if interface.isIPv6Off {
            return FindingAdvice(
                "IPv6 is switched off there. Switch it on; it needs no router:",
                ["sudo sysctl -w net/ipv6/conf/\(name)/disable_ipv6=0"]
            )
        }
        // The range without the first and last 256 addresses (RFC 3927, section 2.1).
        let (third, fourth) = (interface.hardwareAddress.dropFirst(4).first ?? 1, interface.hardwareAddress.last ?? 1)
        return FindingAdvice(
            "Wait a moment if you have just connected. Otherwise give it an address that needs no router:",
            ["sudo ip addr add 169.254.\(1 + Int(third) % 254).\(fourth)/16 dev \(name)"]
        )
    }

    private static func discovery(_ finding: Finding) -> FindingAdvice {
        switch finding.kind {
        case .multicastBlocked, .outgoingBlocked, .answersBlocked, .incomingBlocked:
            guard finding.isFirewallOpened else { break }
            let words =
                "Its firewall was opened before, so something else keeps packets back: a VPN, or a program that watches connections. "
                + "Ask it to permit the local network, or use a cable."
            return FindingAdvice(words)
        default: break
        }
        let opening = [openFirewall(nil)]
        switch finding.kind {
        case .avahiTrouble(let trouble): return FindingAdvice(trouble.remedy, trouble.commands)
        case .multicastLost:
            return FindingAdvice(
                "Machines that ask directly find each other all the same. If one does not, use the share link that the sender shows."
            )
        case .multicastOff(let interface):
            return FindingAdvice("Switch it on:", ["sudo ip link set \(interface) multicast on"])
        case .multicastBlocked: return FindingAdvice("Let them through:", opening)
        case .firewallActive(_, let port):
            return FindingAdvice(
                "If other machines see this one but cannot connect to it:",
                [openFirewall(port)]
            )
        case .outgoingBlocked(let place):
            return FindingAdvice("Let it connect:", [openFirewall(place.port)])
        case .incomingBlocked(let place):
            return FindingAdvice("Let it in:", [openFirewall(place.port)])
        case .answersBlocked(let place):
            return FindingAdvice(
                "Let the answers in. If that does not help, use a cable or a network of your own:",
                [openFirewall(place.port)]
            )
        default: return FindingAdvice(nil)
        }
    }

    private static func peers(_ finding: Finding) -> FindingAdvice {
        switch finding.kind {
        case .noPeers:
            return FindingAdvice(
                "Run 'hikeshare send' on one of the two. If it is running there, use the share link that it shows, or test the "
                    + "way to its address. If neither helps, the network keeps its devices apart, as many guest networks and "
                    + "phone hotspots do: use a cable.",
                ["hikeshare doctor --with ADDRESS"],
                elsewhere:
                    "Start sending on one of the two. If it is sending, use the share link that it shows. If that does not help, "
                    + "the network keeps its devices apart, as many guest networks and phone hotspots do: use a cable."
            )
        case .peerReached(_, _, isSlow: true, _):
            return FindingAdvice("Move closer to the other machine or to the Wi-Fi's access point, or use a cable.")
        case .portBlocked(let place, let isRejected):
            let more = isRejected ? "" : " If that does not help, use a cable."
            return FindingAdvice(
                "Open the port on the other machine.\(more) Run there:",
                [openFirewall(place.port)],
                elsewhere: "Open the port on the other machine.\(more)"
            )
        case .answersKept(let place):
            return FindingAdvice(
                "Let the answers out on the other machine. Run there:",
                [openFirewall(place.port)],
                elsewhere: "Let the answers out on the other machine."
            )
        case .answersLost:
            return FindingAdvice(
                "Let the answers in on the other machine. If that does not help, use a cable. Run there:",
                [openFirewall(nil)],
                elsewhere: "Let the answers in on the other machine. If that does not help, use a cable."
            )
        case .noWayBack:
            return FindingAdvice(
                "If a VPN is on there, allow the local network in its settings, or end the VPN there while you share. Otherwise let both "
                    + "machines get their addresses in the same way."
            )
        case .portRefused:
            return FindingAdvice(
                "Check that 'hikeshare send' is running on the other machine, and which port it shows.",
                elsewhere: "Check that the other machine is still sending, and which port it shows."
            )
        case .addressTaken, .otherKey:
            return FindingAdvice(
                "Give one of the two machines another address: disconnect it from the network and connect it again. Or use a cable."
            )
        case .clientIsolation, .signInPage, .encryptionBlocked, .onlyWebPorts: return networkOfOnesOwn(finding)
        case .peerGone(_, wasAnnounced: true):
            return FindingAdvice("Check that the other machine is awake and on the same network.")
        case .peerGone:
            return FindingAdvice(
                "Check the address that the other machine shows. Otherwise use a cable or the hotspot of a phone."
            )
        case .otherSubnet(let place, _, let further?):
            return FindingAdvice(
                "Let both machines get their addresses in the same way. For now, give this one a further address in that network:",
                ["sudo ip addr add \(further) dev \(place.link)"]
            )
        case .otherSubnet: return FindingAdvice("Let both machines get their addresses in the same way.")
        case .noRoute(let place, _) where place.address == nil:
            return FindingAdvice("Let both machines get their addresses in the same way, or use a cable.")
        case .noRoute, .behindRouter:
            return FindingAdvice("Join the network of the other machine, or use another address that it shows.")
        case .peerSilent(let place):
            return FindingAdvice(
                "Use a cable or the hotspot of a phone. To test the way from the other machine, type there:",
                ["hikeshare doctor --with \(place.source.map(destination) ?? "ADDRESS")"],
                elsewhere: "Use a cable or the hotspot of a phone."
            )
        case .otherProgram: return FindingAdvice("Use the address and the port that the other machine shows.")
        case .packetsLost:
            return FindingAdvice(
                "Move closer to the other machine or to the Wi-Fi's access point, or use a cable. Check the address and the port that "
                    + "the other machine shows."
            )
        case .ownAddress: return FindingAdvice("Use an address that the other laptop shows.")
        case .unknownHost: return FindingAdvice("Use an address that the other machine shows.")
        case .otherDirection(let own):
            return FindingAdvice(
                "To test it, type on the other machine:",
                ["hikeshare doctor --with \(destination(own))"]
            )
        default: return FindingAdvice(nil)
        }
    }

    /// The command that opens the firewall of a machine, there where this program usually is.
    private static func openFirewall(_ port: Int?) -> String {
        ProgramLocation.firewallCommand(ports: [port ?? usualPort])
    }

    /// What helps wherever a network does not let its devices share.
    private static func networkOfOnesOwn(_ finding: Finding) -> FindingAdvice {
        let ways = "Use a cable between the two machines, or another network."
        switch finding.canMakeNetwork {
        case true?:
            return FindingAdvice(
                ways + " If the map is here, this machine can make a Wi-Fi network of its own:",
                ["hikeshare send REGION --hotspot"],
                elsewhere: ways + " If the map is here, send it in a Wi-Fi network of this machine."
            )
        case false?:
            return FindingAdvice(
                ways + " This machine cannot make a Wi-Fi network; perhaps the other one can ('send --hotspot').",
                elsewhere: ways + " This machine cannot make a Wi-Fi network; perhaps the other one can."
            )
        case nil:
            return FindingAdvice(
                ways
                    + " The machine with the map may make a Wi-Fi network of its own ('hikeshare send REGION --hotspot').",
                elsewhere: ways + " The machine with the map may make a Wi-Fi network of its own."
            )
        }
    }

    private static let usualPort = PeerServiceType.hikeshare.defaultPort ?? 0

    /// An address as the argument of `doctor --with`.
    private static func destination(_ address: String) -> String {
        address.contains(":") ? "'[\(address)]:\(usualPort)'" : address
    }

    private static func clock(_ finding: Finding) -> FindingAdvice {
        let command = "sudo date -s 'YYYY-MM-DD HH:MM'"
        return switch finding.kind {
        case .clockBehind: FindingAdvice("Set it to the time of a watch:", [command])
        case .clockDiffers: FindingAdvice("Compare the time with a watch. To set it:", [command])
        default: FindingAdvice(nil)
        }
    }

    private static func storage(_ finding: Finding) -> FindingAdvice {
        let other = "a folder (--store) on another disk"
        let show = "To see what takes the space:"
        let sizes = ["du -xh -d 1 ~ | sort -h | tail"]
        return switch finding.kind {
        case .readOnly(let store):
            FindingAdvice(
                "Use \(other), or mount the disk for writing:",
                ["sudo mount -o remount,rw \(CommandWord.quoted(store.mountPoint))"]
            )
        case .noPermission(let store):
            FindingAdvice(
                "Use a folder (--store) of your own. To see who may write to this one:",
                ["ls -ld \(CommandWord.quoted(store.path))"]
            )
        case .openToOthers(let store):
            FindingAdvice("Let only yourself write to it:", ["chmod go-w \(CommandWord.quoted(store.path))"])
        case .diskFull, .diskLow: FindingAdvice("Free some space, or use \(other). \(show)", sizes)
        default: FindingAdvice(nil)
        }
    }
}

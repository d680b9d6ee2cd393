package import Diagnosis
import PeerCore

/// What a person can do about a finding.
package struct FindingAdvice: ExpressibleByStringInterpolation {
    /// What to do; nil if nothing has to be done.
    package var remedy: String?
    /// The commands to run, one after the other; most need none.
    package var commands: [String] = []
    /// What to do in the window; nil for the same words.
    private var elsewhere: String?
    /// What to do where the window shows the commands; nil for ``remedy``, or for no commands if there are other words.
    private var introduction: String?

    /// Nothing has to be done.
    private static let none = FindingAdvice(nil)

    private init(
        _ remedy: String?,
        _ commands: [String] = [],
        elsewhere: String? = nil,
        introducing introduction: String? = nil
    ) {
        (self.remedy, self.commands) = (remedy, commands)
        (self.elsewhere, self.introduction) = (elsewhere, introduction)
    }

    package init(stringLiteral remedy: String) { self.init(remedy) }

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

    /// What to do in the window, without commands.
    package var window: String? {
        if let elsewhere { return elsewhere }
        return remedy.map { Wording.sentence($0, naming: []) }
    }

    /// What to do in the window where it shows commands to copy, and these commands: none of which the window does itself.
    package var copied: (remedy: String?, commands: [String]) {
        if let introduction { return (introduction, commands) }
        return elsewhere == nil && !commands.isEmpty ? (remedy, commands) : (window, [])
    }

    private static func network(_ finding: Finding) -> FindingAdvice {
        switch finding.kind {
        case .noInterface: "Plug in a network adapter, or check with 'ip link' whether the system knows it."
        case .radioOff(bySwitch: true):
            "Switch it on with the switch or the key with an antenna or an aeroplane on this machine."
        case .radioOff(bySwitch: false):
            FindingAdvice("Switch it on, or leave the aeroplane mode:", ["sudo rfkill unblock wifi"])
        case .interfaceDown(let names):
            FindingAdvice("Switch it on:", names.first.map { ["sudo ip link set \($0) up"] } ?? [])
        case .noCarrier: "Plug in a cable to the other laptop, or join its Wi-Fi."
        case .noAddress(let interface): address(for: interface)
        case .networkingOff(let facts), .ownNetwork(let facts):
            switch facts {
            case .possible(_, servesPhones: false): FindingAdvice("Install it:", ["sudo apt install dnsmasq-base"])
            case .possible: .none
            case .impossible(_, let remedy, let command), .networkingOff(_, let remedy, let command):
                FindingAdvice(remedy, command.map { [$0] } ?? [])
            }
        case .tunnelTakesNetwork(let tunnel, _):
            FindingAdvice(
                "Disconnect the VPN while you share, or switch its interface off:",
                ["sudo ip link set \(tunnel) down"]
            )
        case .containersTakeNetwork(let bridge, _):
            FindingAdvice(
                "Give it other addresses, or switch it off while you share:",
                ["sudo ip link set \(bridge) down"]
            )
        case .tunnelActive: "If the other machine is not found, disconnect the VPN on both machines."
        case .tunnelBlocks, .routeRefused:
            "Allow the local network in the settings of the VPN's program, or end the VPN while you share."
        case .cardTakesNetwork(let card, _):
            FindingAdvice("Unplug \(card) while you share, or switch it off:", ["sudo ip link set \(card) down"])
        case .sharedAddress(let shared, _, let other):
            shared.first.map { removal(of: $0, replacedBy: other) } ?? .none
        case .duplicateAddress(_, let interface):
            FindingAdvice(
                "Let it choose another one:",
                [
                    // Written with slashes, the name of the setting may contain an interface name with dots.
                    "sudo sysctl -w net/ipv6/conf/\(interface)/addr_gen_mode=3", "sudo ip link set \(interface) down",
                    "sudo ip link set \(interface) up",
                ]
            )
        default: .none
        }
    }

    private static func removal(of shared: PeerFacts.SharedAddress, replacedBy other: String?) -> FindingAdvice {
        // An interface that is only switched off keeps its addresses.
        let removal = "sudo ip addr del \(shared.address)/\(shared.prefixLength) dev \(shared.interface)"
        guard let other else { return FindingAdvice("Take the address away while you share:", [removal]) }
        return FindingAdvice(
            "Give this machine another address, or disconnect one of the two from the network and connect it again:",
            [removal, "sudo ip addr add \(other) dev \(shared.interface)"]
        )
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
        case .multicastBlocked where finding.isFirewallOpened, .outgoingBlocked where finding.isFirewallOpened,
            .answersBlocked where finding.isFirewallOpened, .incomingBlocked where finding.isFirewallOpened:
            """
            Its firewall was opened before, so something else keeps packets back: a VPN, or a program that watches connections. \
            Ask it to permit the local network, or use a cable.
            """
        case .avahiTrouble(let trouble): FindingAdvice(trouble.remedy, trouble.commands)
        case .multicastLost:
            "Machines that ask directly find each other all the same. If one does not, use the share link that the sender shows."
        case .multicastOff(let interface):
            FindingAdvice("Switch it on:", ["sudo ip link set \(interface) multicast on"])
        case .multicastBlocked: FindingAdvice("Let them through:", [openFirewall(nil)])
        case .phonesBlocked: FindingAdvice("Let them through:", [openFirewall(FirewallOpening.phonePort)])
        case .phonePortTaken: "Nothing has to be done, unless a firewall lets only that port through."
        case .firewallActive(_, let port):
            FindingAdvice("If other machines see this one but cannot connect to it:", [openFirewall(port)])
        case .outgoingBlocked(let place): FindingAdvice("Let it connect:", [openFirewall(place.port)])
        case .incomingBlocked(let place): FindingAdvice("Let it in:", [openFirewall(place.port)])
        case .answersBlocked(let place):
            FindingAdvice(
                "Let the answers in. If that does not help, use a cable or a network of your own:",
                [openFirewall(place.port)]
            )
        default: .none
        }
    }

    private static func peers(_ finding: Finding) -> FindingAdvice {
        switch finding.kind {
        case .noPeers:
            FindingAdvice(
                "Run 'hikeshare send' on one of the two. If it is running there, use the share link that it shows, or test the "
                    + "way to its address. If neither helps, the network keeps its devices apart, as many guest networks and "
                    + "phone hotspots do: use a cable.",
                ["hikeshare doctor --with ADDRESS"],
                elsewhere:
                    "Start sending on one of the two. If it is sending, use the share link that it shows. If that does not help, "
                    + "the network keeps its devices apart, as many guest networks and phone hotspots do: use a cable."
            )
        case .peerReached(_, _, isSlow: true, _):
            "Move closer to the other machine or to the Wi-Fi's access point, or use a cable."
        case .portBlocked(let place, let isRejected):
            FindingAdvice(
                "Open the port on the other machine.\(isRejected ? "" : orCable) Run there:",
                [openFirewall(place.port)],
                elsewhere: "Open the port on the other machine.\(isRejected ? "" : orCable)",
                introducing: "Open the port on the other machine.\(isRejected ? "" : orCable) \(inTerminal)"
            )
        case .answersKept(let place):
            FindingAdvice(
                "Let the answers out on the other machine. Run there:",
                [openFirewall(place.port)],
                elsewhere: "Let the answers out on the other machine.",
                introducing: "Let the answers out on the other machine. \(inTerminal)"
            )
        case .answersLost:
            FindingAdvice(
                "Let the answers in on the other machine. If that does not help, use a cable. Run there:",
                [openFirewall(nil)],
                elsewhere: "Let the answers in on the other machine. If that does not help, use a cable.",
                introducing:
                    "Let the answers in on the other machine. If that does not help, use a cable. \(inTerminal)"
            )
        case .noWayBack:
            """
            If a VPN is on there, allow the local network in its settings, or end the VPN there while you share. Otherwise let both \
            machines get their addresses in the same way.
            """
        case .portRefused:
            FindingAdvice(
                "Check that 'hikeshare send' is running on the other machine, and which port it shows.",
                elsewhere: "Check that the other machine is still sending, and which port it shows."
            )
        case .addressTaken, .otherKey:
            "Give one of the two machines another address: disconnect it from the network and connect it again. Or use a cable."
        case .clientIsolation, .signInPage, .encryptionBlocked, .onlyWebPorts: networkOfOnesOwn(finding)
        case .peerGone(_, wasAnnounced: true): "Check that the other machine is awake and on the same network."
        case .peerGone:
            "Check the address that the other machine shows. Otherwise use a cable or the hotspot of a phone."
        case .otherSubnet(let place, _, let further?):
            FindingAdvice(
                "Let both machines get their addresses in the same way. For now, give this one a further address in that network:",
                ["sudo ip addr add \(further) dev \(place.link)"]
            )
        case .otherSubnet: "Let both machines get their addresses in the same way."
        case .noRoute(let place, _) where place.address == nil:
            "Let both machines get their addresses in the same way, or use a cable."
        case .noRoute, .behindRouter: "Join the network of the other machine, or use another address that it shows."
        case .peerSilent(let place):
            FindingAdvice(
                "Use a cable or the hotspot of a phone. To test the way from the other machine, type there:",
                ["hikeshare doctor --with \(place.source.map(destination) ?? "ADDRESS")"],
                elsewhere: "Use a cable or the hotspot of a phone."
            )
        case .otherProgram: "Use the address and the port that the other machine shows."
        case .packetsLost:
            """
            Move closer to the other machine or to the Wi-Fi's access point, or use a cable. Check the address and the port that \
            the other machine shows.
            """
        case .ownAddress: "Use an address that the other laptop shows."
        case .unknownHost: "Use an address that the other machine shows."
        case .otherDirection(let own):
            FindingAdvice(
                "To test it, type on the other machine:",
                ["hikeshare doctor --with \(destination(own))"],
                elsewhere: "To test it, check the way to another machine there, and give the address \(own)."
            )
        default: .none
        }
    }

    private static let orCable = " If that does not help, use a cable."
    private static let inTerminal = "Run in a terminal there:"

    /// The command that opens the firewall of a machine, there where this program usually is.
    private static func openFirewall(_ port: Int?) -> String {
        ProgramLocation.firewallCommand(ports: [port ?? usualPort])
    }

    /// What helps wherever a network does not let its devices share.
    private static func networkOfOnesOwn(_ finding: Finding) -> FindingAdvice {
        let ways = "Use a cable between the two machines, or another network."
        return switch finding.canMakeNetwork {
        case true?:
            FindingAdvice(
                ways + " If the map is here, this machine can make a Wi-Fi network of its own:",
                ["hikeshare send REGION --hotspot"],
                elsewhere: ways + " If the map is here, send it in a Wi-Fi network of this machine."
            )
        case false?:
            FindingAdvice(
                ways + " This machine cannot make a Wi-Fi network; perhaps the other one can ('send --hotspot').",
                elsewhere: ways + " This machine cannot make a Wi-Fi network; perhaps the other one can."
            )
        case nil:
            FindingAdvice(
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
        default: .none
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
                ["sudo mount -o remount,rw \(CommandWord.quoted(store.mountPoint))"],
                elsewhere: "Mount the disk for writing.",
                introducing: "Mount the disk for writing:"
            )
        case .noPermission(let store):
            FindingAdvice(
                "Use a folder (--store) of your own. To see who may write to this one:",
                ["ls -ld \(CommandWord.quoted(store.path))"],
                elsewhere: "Ask the owner of the folder to let you write to it.",
                introducing: "To see who may write to it:"
            )
        case .openToOthers(let store):
            FindingAdvice("Let only yourself write to it:", ["chmod go-w \(CommandWord.quoted(store.path))"])
        case .diskFull, .diskLow:
            FindingAdvice(
                "Free some space, or use \(other). \(show)",
                sizes,
                elsewhere: "Free some space.",
                introducing: "Free some space. \(show)"
            )
        default: .none
        }
    }
}

package import HostNetwork

/// Judges Avahi and multicast on this machine.
package enum DiscoveryChecks {
    /// Judges Avahi, without words: the kinds of its troubles, or that it works.
    package static func findings(
        of avahi: AvahiFacts,
        on machine: MachineFacts,
        blocked: Set<String> = []
    ) -> [Finding] {
        let multicast = MulticastFacts(echoes: blocked.map { .init(interface: $0, isIPv6: false, fate: .lost) })
        let troubles = AvahiTrouble.judge(avahi: avahi, machine: machine, multicast: multicast, peersOn: [])
        let working = machine.usableInterfaces.map(\.name).filter { avahi.interfaces?.contains($0) == true }
        if troubles.isEmpty, !working.isEmpty {
            return [Finding(.avahi, .discovery, .ok, "Avahi is running and uses \(working.joined(separator: ", ")).")]
        }
        return troubles.map { Finding($0.code, .discovery, $0.severity, $0.code.name, interface: $0.interface) }
    }

    /// Judges that no peer is listed, although machines may have answered.
    package static func finding(ofPeersNotListed announcers: [IPAddress]) -> Finding {
        guard !announcers.isEmpty else { return PeerChecks.noPeers }
        let list = announcers.map(\.description).sorted().prefix(maximumNamed).joined(separator: ", ")
        return Finding(
            .avahiUnaware,
            .discovery,
            .warning,
            "Another machine answers (\(list)), but Avahi on this machine does not list it.",
            remedy:
                "Restart Avahi. If that does not help, use the address or the share link that the other machine shows.",
            command: "sudo systemctl restart avahi-daemon"
        )
    }

    private static let maximumNamed = 3

    /// Judges multicast.
    ///
    /// - Parameters:
    ///   - multicast: What was heard.
    ///   - machine: This machine.
    /// - Returns: The findings.
    package static func findings(of multicast: MulticastFacts, on machine: MachineFacts) -> [Finding] {
        var working: [String] = []
        var findings: [Finding] = []
        for interface in machine.usableInterfaces {
            let name = interface.name
            guard interface.hasMulticast else {
                findings.append(switchedOff(name))
                continue
            }
            let echoes = multicast.echoes.filter { $0.interface == name }
            if echoes.contains(where: { $0.fate == .returned }) {
                working.append(name)
                findings += partial(echoes, name, machine.firewall)
            } else if echoes.contains(where: { $0.fate == .forbidden }) {
                findings.append(blockedOutgoing(name, machine.firewall))
            } else if echoes.contains(where: { $0.fate == .lost }) {
                findings.append(blockedIncoming(name, machine.firewall))
            }
        }
        guard !working.isEmpty else { return findings }
        let list = working.joined(separator: ", ")
        return [Finding(.multicast, .discovery, .ok, "Multicast packets go out and come in on \(list).")] + findings
    }

    private static func switchedOff(_ interface: String) -> Finding {
        Finding(
            .multicastOff,
            .discovery,
            .problem,
            "Multicast, with which machines find each other, is switched off on \(interface).",
            remedy: "Switch it on:",
            command: "sudo ip link set \(interface) multicast on",
            interface: interface
        )
    }

    private static func blockedIncoming(_ interface: String, _ firewall: Firewall?) -> Finding {
        Finding(
            .multicastBlocked,
            .discovery,
            .problem,
            "The firewall of this machine drops the packets with which machines find each other "
                + "(UDP port 5353) when they come in on \(interface).",
            remedy: Firewall.remedy(firewall, for: .in),
            command: Firewall.command(of: firewall) { $0.commandForDiscovery },
            interface: interface
        )
    }

    private static func blockedOutgoing(_ interface: String, _ firewall: Firewall?) -> Finding {
        Finding(
            .multicastBlocked,
            .discovery,
            .problem,
            "The firewall of this machine does not let the packets with which machines find each other "
                + "(UDP port 5353) go out on \(interface).",
            remedy: Firewall.remedy(firewall, for: .out),
            command: Firewall.command(of: firewall) { $0.commandForQuestions },
            interface: interface
        )
    }

    /// One IP version is blocked, and the other is not.
    ///
    /// That is enough for machines that have both.
    private static func partial(
        _ echoes: [MulticastFacts.Echo],
        _ interface: String,
        _ firewall: Firewall?
    ) -> [Finding] {
        guard let lost = echoes.first(where: { $0.fate == .lost || $0.fate == .forbidden }) else { return [] }
        var finding = lost.fate == .lost ? blockedIncoming(interface, firewall) : blockedOutgoing(interface, firewall)
        finding.severity = .note
        finding.message += " This concerns only \(lost.isIPv6 ? "IPv6" : "IPv4")."
        return [finding]
    }
}

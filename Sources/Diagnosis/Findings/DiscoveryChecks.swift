package import HostNetwork

/// Judges Avahi and multicast on this machine.
package enum DiscoveryChecks {
    /// Judges Avahi.
    ///
    /// - Parameters:
    ///   - avahi: The daemon.
    ///   - machine: This machine.
    ///   - blocked: The interfaces on which multicast does not work, and where Avahi cannot be judged.
    /// - Returns: The findings; none if there is no network on which Avahi could work.
    package static func findings(
        of avahi: AvahiFacts,
        on machine: MachineFacts,
        blocked: Set<String> = []
    ) -> [Finding] {
        switch avahi.state {
        case .stopped where !avahi.isInstalled, .noBus where !avahi.isInstalled, .portTaken where !avahi.isInstalled:
            [missing]
        case .stopped where avahi.configuration.usesNoIP:
            [unusable("Avahi, which finds machines nearby, is not running.", "Set use-ipv4=yes and use-ipv6=yes")]
        case .stopped: [stopped]
        case .portTaken: [portTaken]
        case .offBus:
            [
                unusable(
                    "Avahi, which finds machines nearby, is running, but no program reaches it over D-Bus.",
                    avahi.configuration.usesDBus ? nil : "Set enable-dbus=yes"
                )
            ]
        case .noBus: [withoutBus]
        case .busDenied: [busDenied]
        case .silent: [silent]
        case .failed(let reason): [failed(reason)]
        case .running: running(avahi, machine, blocked)
        }
    }

    private static let missing = Finding(
        .avahiMissing,
        .discovery,
        .problem,
        "Avahi, which finds machines nearby, is not installed.",
        remedy: "Install it while you have internet:",
        command: "sudo apt install avahi-daemon"
    )

    private static let stopped = Finding(
        .avahiStopped,
        .discovery,
        .problem,
        "Avahi, which finds machines nearby, is not running.",
        remedy: "Start it:",
        command: "sudo systemctl start avahi-daemon"
    )

    /// The finding that Avahi cannot work until a setting is changed, if one is to blame, and it starts anew.
    private static func unusable(_ message: String, _ change: String?) -> Finding {
        Finding(
            .avahiUnusable,
            .discovery,
            .problem,
            message,
            remedy: change.map { "\($0) in \(AvahiConfiguration.path), then:" } ?? "Restart it:",
            command: "sudo systemctl restart avahi-daemon"
        )
    }

    private static let portTaken = Finding(
        .avahiUnusable,
        .discovery,
        .problem,
        "Avahi, which finds machines nearby, is not running, and another program has the port that it needs (UDP 5353).",
        remedy: "To see that program, and to start Avahi when it has ended:",
        command: "sudo ss -ulpn sport = 5353; sudo systemctl start avahi-daemon"
    )

    private static let busDenied = Finding(
        .busDenied,
        .discovery,
        .problem,
        "The D-Bus system bus, through which Avahi is reached, does not let this user in.",
        remedy: "Run the program as the user of the desktop session."
    )

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

    private static let withoutBus = Finding(
        .busStopped,
        .discovery,
        .problem,
        "The D-Bus system bus, through which Avahi is reached, is not running.",
        remedy: "Start both:",
        command: "sudo systemctl start dbus avahi-daemon"
    )

    private static let silent = Finding(
        .avahiSilent,
        .discovery,
        .problem,
        "Avahi, which finds machines nearby, is running but does not answer.",
        remedy: "Restart it:",
        command: "sudo systemctl restart avahi-daemon"
    )

    private static func failed(_ reason: String) -> Finding {
        Finding(
            .avahiSilent,
            .discovery,
            .problem,
            "Avahi, which finds machines nearby, does not work: \(reason)",
            remedy: "Restart it:",
            command: "sudo systemctl restart avahi-daemon"
        )
    }

    private static func running(_ avahi: AvahiFacts, _ machine: MachineFacts, _ blocked: Set<String>) -> [Finding] {
        let usable = machine.usableInterfaces.map(\.name)
        guard !usable.isEmpty else { return [] }
        if let domain = avahi.configuration.otherDomain {
            let message = "Avahi uses the domain \(domain) on this machine, so it and others do not find each other."
            return [unusable(message, "Remove domain-name")]
        }
        if avahi.deniesPublishing { return [deniedPublishing] }
        // On an interface where multicast is blocked, Avahi may work and only the packets are lost.
        guard let served = avahi.interfaces else { return [] }
        let missing = usable.filter { !served.contains($0) && !blocked.contains($0) }
        guard missing.isEmpty else {
            guard !avahi.configuration.publishesAddresses else { return missing.map { excluded($0, avahi) } }
            let message =
                "Avahi does not announce the addresses of this machine, so others find it, but do not reach it."
            return [unusable(message, "Set publish-addresses=yes")]
        }
        let working = usable.filter { served.contains($0) }
        guard !working.isEmpty else { return [] }
        return [Finding(.avahi, .discovery, .ok, "Avahi is running and uses \(working.joined(separator: ", ")).")]
    }

    private static let deniedPublishing = Finding(
        .publishingDenied,
        .discovery,
        .warning,
        "Avahi does not let programs announce themselves. This machine can find others, but others do not find it "
            + "and need an address or a share link.",
        remedy: "Remove disable-publishing and disable-user-service-publishing from \(AvahiConfiguration.path), then:",
        command: "sudo systemctl restart avahi-daemon"
    )

    private static func excluded(_ interface: String, _ avahi: AvahiFacts) -> Finding {
        let path = AvahiConfiguration.path
        let remedy =
            switch avahi.configuration.exclusion(of: interface) {
            case "allow-interfaces": "Add \(interface) to allow-interfaces in \(path), then:"
            case "deny-interfaces": "Remove \(interface) from deny-interfaces in \(path), then:"
            case "use-ipv4": "Set use-ipv4=yes and use-ipv6=yes in \(path), then:"
            default: "Check allow-interfaces, deny-interfaces, use-ipv4 and use-ipv6 in \(path), then:"
            }
        return Finding(
            .avahiInterface,
            .discovery,
            .problem,
            "Avahi is running, but not on \(interface), so it finds no machine there.",
            remedy: remedy,
            command: "sudo systemctl restart avahi-daemon",
            interface: interface
        )
    }

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

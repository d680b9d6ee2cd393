import PeerTestSupport
import Testing

/// `doctor --open-firewall` and `--close-firewall` with the real programs, on a machine with a firewall of each kind.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct OpenedFirewallTests {
    /// A firewall that keeps two machines apart.
    struct Obstacle: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Makes it.
        var script: String
        /// What the first command that opens it begins with.
        var opener: String
        /// A daemon that runs meanwhile.
        var daemon: [String] = []
    }

    static let obstacles = [
        Obstacle(
            testDescription: "a VPN that lets nothing else pass",
            script: """
                nft -f - <<'X'
                table inet ks {
                  chain o { type filter hook output priority 0; policy drop; oifname "lo" accept; }
                  chain i { type filter hook input priority 0; policy drop; iifname "lo" accept; }
                }
                X
                """,
            opener: "nft insert rule inet ks "
        ),
        Obstacle(
            testDescription: "a chain before connections are known, and one behind",
            script: """
                nft -f - <<'X'
                table ip early { chain r { type filter hook prerouting priority raw; policy drop; iifname "lo" accept; } ; }
                table inet late { chain p { type filter hook postrouting priority 0; meta l4proto tcp drop; } ; }
                table netdev card { chain g { type filter hook ingress device lan0 priority 0; meta length > 600 drop; } ; }
                X
                """.replacing("} ; }", with: "}\n}"),
            opener: "nft insert rule netdev card g "
        ),
        Obstacle(
            testDescription: "an application firewall",
            script: """
                nft add table inet users
                nft add chain inet users o '{ type filter hook output priority 0; policy accept; }'
                nft add rule inet users o meta skuid 0 tcp sport 64453 reject
                nft add rule inet users o meta skuid 0 tcp dport 64453 reject
                """,
            opener: "nft insert rule inet users o "
        ),
        Obstacle(
            testDescription: "a table of nftables that is called as one of iptables",
            script: """
                nft add table ip filter
                nft add chain ip filter input '{ type filter hook input priority 0; policy drop; }'
                nft add rule ip filter input ct state established,related accept
                """,
            opener: "nft insert rule ip filter input "
        ),
        Obstacle(
            testDescription: "iptables",
            script: """
                iptables-nft -P INPUT DROP
                iptables-nft -A INPUT -i lo -j ACCEPT
                iptables-nft -N bad
                iptables-nft -A bad -p tcp -j REJECT
                iptables-nft -A OUTPUT -j bad
                """,
            opener: "iptables-nft -w -t filter -I "
        ),
        Obstacle(
            testDescription: "ufw",
            script: """
                mkdir -p /run/ufw /run/ufw-rules /run/ufw-defaults
                cp -a /etc/ufw/. /run/ufw-rules; mount --bind /run/ufw-rules /etc/ufw
                cp -a /etc/default/. /run/ufw-defaults; mount --bind /run/ufw-defaults /etc/default
                ufw --force enable
                ufw default deny outgoing
                """,
            opener: "ufw prepend allow "
        ),
        Obstacle(
            testDescription: "firewalld",
            script: "n=0; until firewall-cmd --state; do n=$((n + 1)); [ $n -lt 300 ]; sleep 0.2; done",
            opener: "firewall-cmd --zone=public --add-",
            daemon: ["firewalld", "--nofork", "--nopid"]
        ),
    ]

    @Test(arguments: obstacles) func opensAndClosesAgain(obstacle: Obstacle) async throws {
        let hasDaemon = !obstacle.daemon.isEmpty
        try await TwoHosts.with(.v4, hasDiscovery: hasDaemon, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                guard let program = obstacle.daemon.first else { return try await check(obstacle, hosts, laptop) }
                try await hosts.run(on: .b, program, Array(obstacle.daemon.dropFirst())) { _ in
                    try await check(obstacle, hosts, laptop)
                }
            }
        }
    }

    private func check(_ obstacle: Obstacle, _ hosts: TwoHosts, _ laptop: Laptop) async throws {
        try await hosts.shell(.b, obstacle.script)
        #expect(try await isOpen(hosts, patience: 1) == false)
        let opened = try await laptop.run("doctor", "--open-firewall")
        #expect(opened.code == 0, "\(opened)")
        let commands = try opened.lines("firewallCommand").compactMap { $0["command"]?.string }
        #expect(commands.first?.hasPrefix(obstacle.opener) == true, "\(opened)")
        #expect(try opened.lines("firewall").map { $0["isDone"]?.bool } == [true], "\(opened)")
        #expect(try await isOpen(hosts, patience: 60), "\(opened)")
        let again = try await laptop.run("doctor", "--open-firewall")
        #expect(try again.code == 0 && again.lines("firewallCommand").isEmpty, "\(again)")
        let closed = try await laptop.run("doctor", "--close-firewall")
        #expect(closed.code == 0, "\(closed)")
        #expect(try closed.lines("firewallCommand").count == commands.count, "\(closed)")
        #expect(try await isOpen(hosts, patience: 1) == false, "\(closed)")
    }

    /// Whether each of the two reaches the other.
    private func isOpen(_ hosts: TwoHosts, patience: Int) async throws -> Bool {
        guard try await connects(from: .a, hosts, patience: patience) else { return false }
        return try await connects(from: .b, hosts, patience: patience)
    }

    /// Whether a connection carries a few kilobytes in both directions.
    private func connects(from side: TwoHosts.Side, _ hosts: TwoHosts, patience: Int) async throws -> Bool {
        let other: TwoHosts.Side = side == .a ? .b : .a
        return try await hosts.run(on: other, "python3", ["-c", Self.listener]) { listener in
            try await listener.waitForOutput { $0 == "ready" }
            let arguments = ["-c", Self.caller, other == .a ? "10.77.0.1" : "10.77.0.2", "\(patience)"]
            return try await hosts.run(on: side, "python3", arguments) { caller in
                await caller.ending().output.contains("carried")
            }
        }
    }

    private static let listener = """
        import socket
        s = socket.create_server(("", 64453))
        print("ready", flush=True)
        c, _ = s.accept()
        c.sendall(c.recv(3000, socket.MSG_WAITALL))
        c.recv(1)
        """

    private static let caller = """
        import socket, sys
        try:
            c = socket.create_connection((sys.argv[1], 64453), timeout=float(sys.argv[2]))
            c.sendall(bytes(3000))
            if len(c.recv(3000, socket.MSG_WAITALL)) == 3000: print("carried")
        except OSError as error:
            print(error)
        """
}

import Foundation
import PeerTestSupport
import Testing

/// `doctor` on machines with one fault each, made for real.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct DoctorTests {
    /// A fault of one of two laptops.
    struct Fault: CustomTestStringConvertible, Sendable {
        /// What it is called.
        var testDescription: String
        /// What the cable carries.
        var network = TwoHosts.Network.dual
        /// Whether the other laptop sends.
        var hasSender = true
        /// A script that makes the fault, on the examined laptop; `$store` is its store.
        var script = ""
        /// A script for the sender.
        var senderScript = ""
        /// Makes the fault of Avahi: its configuration gets this change, by `sed`; nil to leave the daemon alone, empty to
        /// stop it.
        var avahi: String?
        /// The only problem or warning.
        var code: String
        /// What the command or the remedy says.
        var remedy: String
        /// The exit code.
        var exit: Int32 = 8
        /// The program whose commands, of those that are told, mend the fault; nil to run none.
        ///
        /// firewalld is not among them: it is a daemon for a whole machine.
        var tool: String?
    }

    /// Switches ufw on, on one host only.
    private static let ufw = """
        mkdir -p /run/ufw /run/ufw-rules /run/ufw-defaults
        cp -a /etc/ufw/. /run/ufw-rules; mount --bind /run/ufw-rules /etc/ufw
        cp -a /etc/default/. /run/ufw-defaults; mount --bind /run/ufw-defaults /etc/default
        ufw --force enable

        """

    private static func dropping(_ rule: String, in chain: String) -> String { filtering(rule, in: chain, "drop") }

    private static func filtering(_ rule: String, in chain: String, _ verdict: String) -> String {
        """
        nft add table inet filter
        nft add chain inet filter \(chain) '{ type filter hook \(chain) priority 0; policy accept; }'
        nft add rule inet filter \(chain) \(rule) \(verdict)
        """
    }

    private static let showingConfiguration = "mount --bind /run/avahi.conf /etc/avahi/avahi-daemon.conf"

    /// A tunnel of a provider on the way, without the messages that would tell of it.
    private static let losingLargePackets = """
        nft add table netdev narrow
        nft add chain netdev narrow in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
        nft add rule netdev narrow in meta length '>' 1300 drop
        """

    /// Packets to one machine are dropped, and packets to all machines come in.
    private static let isolation = """
        nft add table netdev cell
        nft add chain netdev cell in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
        nft add rule netdev cell in meta pkttype host drop
        """

    static let faults = [
        Fault(
            testDescription: "no address",
            script: "sysctl -qw net.ipv6.conf.lan0.disable_ipv6=1; ip addr flush dev lan0",
            code: "noAddress",
            remedy: "sudo sysctl -w net/ipv6/conf/lan0/disable_ipv6=0"
        ),
        Fault(
            testDescription: "no cable",
            script: "ip link set lan0 down",
            code: "interfaceDown",
            remedy: "sudo ip link set lan0 up"
        ),
        Fault(
            testDescription: "Avahi down",
            avahi: "",
            code: "avahiStopped",
            remedy: "sudo systemctl start avahi-daemon"
        ),
        Fault(
            testDescription: "Avahi on the wrong interface",
            script: showingConfiguration,
            avahi: "s/allow-interfaces=lan0/allow-interfaces=lo/",
            code: "avahiInterface",
            remedy: "Add lan0 to allow-interfaces in /etc/avahi/avahi-daemon.conf"
        ),
        Fault(
            testDescription: "Avahi excludes the interface",
            script: showingConfiguration,
            avahi: "s/allow-interfaces=lan0/deny-interfaces=lan0/",
            code: "avahiInterface",
            remedy: "Remove lan0 from deny-interfaces in /etc/avahi/avahi-daemon.conf"
        ),
        Fault(
            testDescription: "Avahi may use no IP",
            script: #"sed -i "s/^use-ipv\(.\)=.*/use-ipv\1=no/" /run/avahi.conf; \#(showingConfiguration)"#,
            avahi: "",
            code: "avahiUnusable",
            remedy: "Set use-ipv4=yes and use-ipv6=yes in /etc/avahi/avahi-daemon.conf"
        ),
        Fault(
            testDescription: "Avahi in another domain",
            script: showingConfiguration,
            avahi: #"s/^\[server\]/&\ndomain-name=home/"#,
            code: "avahiUnusable",
            remedy: "Remove domain-name in /etc/avahi/avahi-daemon.conf"
        ),
        Fault(
            testDescription: "Avahi without addresses",
            script: showingConfiguration,
            avahi: #"$a[publish]\npublish-addresses=no"#,
            code: "avahiUnusable",
            remedy: "Set publish-addresses=yes in /etc/avahi/avahi-daemon.conf"
        ),
        Fault(
            testDescription: "multicast blocked",
            script: dropping("udp dport 5353", in: "input"),
            code: "multicastBlocked",
            remedy: "sudo nft insert rule inet filter input udp dport 5353 accept",
            tool: "nft"
        ),
        Fault(
            testDescription: "outgoing multicast blocked",
            script: dropping("udp dport 5353", in: "output"),
            code: "multicastBlocked",
            remedy: "sudo nft insert rule inet filter output udp dport 5353 accept",
            tool: "nft"
        ),
        Fault(
            testDescription: "multicast off",
            hasSender: false,
            script: "ip link set lan0 multicast off",
            code: "multicastOff",
            remedy: "sudo ip link set lan0 multicast on"
        ),
        Fault(
            testDescription: "port blocked",
            senderScript: dropping("tcp dport $port", in: "input"),
            code: "portBlocked",
            remedy: "sudo ufw allow PORT/tcp",
            exit: 3,
            tool: "nft"
        ),
        // firewalld rejects in this way, and the kernel reports it as if this machine forbade it.
        Fault(
            testDescription: "port rejected",
            network: .ll6,
            senderScript: filtering("tcp dport $port", in: "input", "reject with icmpx type admin-prohibited"),
            code: "portBlocked",
            remedy: "sudo nft insert rule inet filter input tcp dport PORT accept",
            exit: 3,
            tool: "nft"
        ),
        Fault(
            testDescription: "own outgoing connections dropped",
            script: dropping("tcp dport $port", in: "output"),
            code: "outgoingBlocked",
            remedy: "sudo nft insert rule inet filter output tcp dport PORT accept",
            tool: "nft"
        ),
        Fault(
            testDescription: "own outgoing connections rejected",
            network: .v4,
            script: filtering("tcp dport $port", in: "output", "reject with tcp reset"),
            code: "outgoingBlocked",
            remedy: "sudo iptables -I OUTPUT -p tcp --dport PORT -j ACCEPT",
            tool: "nft"
        ),
        Fault(
            testDescription: "port blocked by iptables",
            network: .v4,
            senderScript: "iptables -A INPUT -p tcp --dport $port -j DROP",
            code: "portBlocked",
            remedy: "sudo iptables -I INPUT -p tcp --dport PORT -j ACCEPT",
            exit: 3,
            tool: "iptables"
        ),
        Fault(
            testDescription: "multicast blocked by iptables",
            network: .v4,
            script: "iptables -A INPUT -p udp --dport 5353 -j DROP",
            code: "multicastBlocked",
            remedy: "sudo iptables -I INPUT -p udp --dport 5353 -j ACCEPT",
            tool: "iptables"
        ),
        Fault(
            testDescription: "outgoing multicast blocked by iptables",
            network: .v4,
            script: "iptables -A OUTPUT -p udp --dport 5353 -j DROP",
            code: "multicastBlocked",
            remedy: "sudo iptables -I OUTPUT -p udp --dport 5353 -j ACCEPT",
            tool: "iptables"
        ),
        Fault(
            testDescription: "own outgoing connections dropped by iptables",
            network: .v4,
            script: "iptables -A OUTPUT -p tcp --dport $port -j DROP",
            code: "outgoingBlocked",
            remedy: "sudo iptables -I OUTPUT -p tcp --dport PORT -j ACCEPT",
            tool: "iptables"
        ),
        Fault(
            testDescription: "port blocked by ufw",
            senderScript: ufw,
            code: "portBlocked",
            remedy: "sudo ufw allow PORT/tcp",
            exit: 3,
            tool: "ufw"
        ),
        // As it comes, ufw lets multicast DNS in.
        Fault(
            testDescription: "multicast blocked by ufw",
            script: ufw + "sed -i /5353/d /etc/ufw/before.rules /etc/ufw/before6.rules; ufw reload",
            code: "multicastBlocked",
            remedy: "sudo ufw allow 5353/udp",
            tool: "ufw"
        ),
        Fault(
            testDescription: "outgoing multicast blocked by ufw",
            script: ufw + "ufw allow out $port/tcp; ufw default deny outgoing",
            code: "multicastBlocked",
            remedy: "sudo ufw allow out 5353/udp",
            tool: "ufw"
        ),
        Fault(
            testDescription: "own outgoing connections dropped by ufw",
            script: ufw + "ufw allow out 5353/udp; ufw default deny outgoing",
            code: "outgoingBlocked",
            remedy: "sudo ufw allow out PORT/tcp",
            tool: "ufw"
        ),
        Fault(
            testDescription: "large packets lost",
            script: losingLargePackets,
            // Such packets are made in the card, or would be joined on the way.
            senderScript: "ethtool -K lan0 tso off gso off gro off",
            code: "packetsLost",
            remedy: "sudo ip link set lan0 mtu 1280",
            exit: 3,
            tool: "ip"
        ),
        Fault(
            testDescription: "containers with the same addresses",
            network: .v4,
            script: """
                ip link add br-7 type bridge; ip link set br-7 up; ip addr add 10.77.0.99/25 dev br-7
                ip link add c7 type veth peer name c7x; ip link set c7x master br-7; ip link set c7 up; ip link set c7x up
                """,
            code: "containersTakeNetwork",
            remedy: "sudo ip link set br-7 down",
            tool: "ip"
        ),
        Fault(
            testDescription: "VPN route",
            network: .v4,
            script: """
                ip tuntap add tun7 mode tun; ip link set tun7 up; ip addr add 10.9.0.2/32 dev tun7
                ip route add 10.77.0.0/25 dev tun7; ip route add 10.77.0.128/25 dev tun7
                """,
            code: "tunnelTakesNetwork",
            remedy: "sudo ip link set tun7 down",
            tool: "ip"
        ),
        Fault(
            testDescription: "client isolation",
            script: isolation,
            senderScript: isolation,
            code: "clientIsolation",
            remedy: "hikeshare send REGION --hotspot",
            exit: 3
        ),
        Fault(
            testDescription: "two subnets",
            network: .v4,
            script: "ip addr del 10.77.0.2/24 dev lan0; ip addr add 10.88.0.2/24 dev lan0",
            code: "otherSubnet",
            remedy: "sudo ip route add 10.77.0.1 dev lan0",
            exit: 3
        ),
        Fault(
            testDescription: "clock off",
            script: #"mkdir -p "$store"; touch -d "1000 days" "$store/regions""#,
            code: "clockBehind",
            remedy: "sudo date -s",
            exit: 0
        ),
        Fault(
            testDescription: "disk full",
            script: #"""
                mkdir -p "$store"; mount -t tmpfs -o size=9m,mode=700 tmpfs "$store"
                dd if=/dev/zero of="$store/filler" bs=1M count=8 2>/dev/null
                """#,
            code: "diskFull",
            remedy: "--store",
            exit: 7
        ),
        Fault(
            testDescription: "store open to others",
            script: #"mkdir -p "$store"; chmod 777 "$store""#,
            code: "openToOthers",
            remedy: "chmod go-w",
            exit: 7
        ),
        Fault(
            testDescription: "disk read-only",
            script: #"mkdir -p "$store"; mount -t tmpfs -o ro tmpfs "$store""#,
            code: "readOnly",
            remedy: "sudo mount -o remount,rw",
            exit: 7
        ),
    ]

    /// Two laptops on a cable, the first of which may send.
    private func with(
        _ network: TwoHosts.Network,
        hasSender: Bool = true,
        _ body: (_ hosts: TwoHosts, _ examined: Laptop, _ sender: RunningSender?) async throws -> Void
    ) async throws {
        try await TwoHosts.with(network, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let examined = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                guard hasSender else { return try await body(hosts, examined, nil) }
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await Example.put(on: sender)
                try await sender.send(Example.name) { running in
                    try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                    try await body(hosts, examined, running)
                }
            }
        }
    }

    private func obstacles(_ ending: Ending) throws -> [JSONValue] {
        try ending.lines("finding").filter { ["problem", "warning"].contains($0["severity"]?.string) }
    }

    @Test(arguments: faults) func namesTheCauseAndTheRemedyAndNoOtherCause(fault: Fault) async throws {
        try await with(fault.network, hasSender: fault.hasSender) { hosts, examined, sender in
            let port = sender.map { "\($0.port)" } ?? "0"
            if let change = fault.avahi {
                try await hosts.killDaemon(.b)
                if !change.isEmpty {
                    try await hosts.shell(.b, "sed -i '\(change)' /run/avahi.conf")
                    try await hosts.startDaemon(.b)
                }
            }
            try await hosts.shell(.b, "store='\(examined.store)'\nport=\(port)\n" + fault.script)
            try await hosts.shell(.a, "port=\(port)\n" + fault.senderScript)
            let ending = try await examined.run("doctor")
            #expect(ending.code == fault.exit, "\(ending)")
            let found = try obstacles(ending)
            #expect(found.map { $0["code"]?.string } == [fault.code], "\(ending)")
            let advice = (found.first?["commands"]?.array ?? []) + [found.first?["remedy"] ?? .null]
            let words = advice.compactMap(\.string).joined(separator: "\n")
            #expect(words.contains(fault.remedy.replacing("PORT", with: port)), "\(words)")
            // What is told and can be run here mends it.
            guard let tool = fault.tool else { return }
            for command in advice.compactMap(\.string) where command.hasPrefix("sudo \(tool) ") {
                try await hosts.shell(fault.senderScript.isEmpty ? .b : .a, String(command.dropFirst("sudo ".count)))
            }
            let after = try await examined.run("doctor")
            #expect(after.code == 0, "\(after)")
            #expect(try after.lines("finding").contains { $0["code"]?.string == "peerReached" }, "\(after)")
        }
    }

    @Test func peopleAreToldTheSame() async throws {
        try await with(.dual, hasSender: false) { hosts, examined, _ in
            try await hosts.killDaemon(.b)
            let told = try await examined.tell("doctor")
            #expect(told.code == 8, "\(told)")
            #expect(told.output.first == "Problem:", "\(told)")
            #expect(told.output.contains { $0.hasSuffix("  sudo systemctl start avahi-daemon") }, "\(told)")
            #expect(told.errorOutput.isEmpty, "\(told)")
        }
    }

    /// A hiker is not root: another user than that of the Avahi daemon, without privileges.
    @Test func anOrdinaryUserGetsTheSameAnswer() async throws {
        try await with(.dual) { hosts, examined, _ in
            let command = [
                "--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set=-all", Place.program,
                "doctor",
                "--format", "json", "--store", "/tmp/not-there",
            ]
            let ending = try await hosts.run(on: .b, "/usr/bin/setpriv", command) { await $0.ending() }
            #expect(ending.code == 0, "\(ending)")
            let codes = try ending.lines("finding").compactMap { $0["code"]?.string }
            for code in ["avahi", "multicast", "peerReached"] { #expect(codes.contains(code), "\(ending)") }
            #expect(try obstacles(ending).isEmpty, "\(ending)")
            try await hosts.shell(.b, Self.dropping("udp dport 5353", in: "input"))
            let blocked = try await hosts.run(on: .b, "/usr/bin/setpriv", command) { await $0.ending() }
            #expect(try obstacles(blocked).map { $0["code"]?.string } == ["multicastBlocked"], "\(blocked)")
        }
    }

    /// No false alarm, and the sender's screen stays quiet.
    @Test(arguments: [TwoHosts.Network.dual, .v4, .ll6]) func aHealthyPairHasNoProblem(
        network: TwoHosts.Network
    ) async throws {
        try await with(network) { _, examined, sender in
            let ending = try await examined.run("doctor")
            #expect(ending.code == 0, "\(ending)")
            #expect(try obstacles(ending).isEmpty, "\(ending)")
            let codes = try ending.lines("finding").compactMap { $0["code"]?.string }
            for code in ["address", "avahi", "multicast", "clock", "space", "peerReached"] {
                #expect(codes.contains(code), "\(ending)")
            }
            #expect(ending.errorOutput.isEmpty, "\(ending)")
            let told = try await examined.tell("doctor")
            #expect(told.output.first == "Nothing stands in the way of sharing.", "\(told)")
            // It creates nothing.
            #expect(!FileManager.default.fileExists(atPath: examined.store))
            let running = try #require(sender)
            let host = network == .ll6 ? try address(of: running) : "10.77.0.1:\(running.port)"
            let path = try await examined.run("doctor", "--with", host)
            #expect(path.code == 0, "\(path)")
            #expect(try obstacles(path).isEmpty, "\(path)")
            #expect(try path.lines("finding").contains { $0["code"]?.string == "peerReached" }, "\(path)")
            let sent = await running.interrupt()
            #expect(!sent.errorOutput.contains { $0.contains("warning") }, "\(sent)")
        }
    }

    private func address(of sender: RunningSender) throws -> String {
        try #require(sender.listening["addresses"]?.array.first?.string)
    }

    /// What a person at the sender sees while the other machine examines the way.
    @Test func theSenderShowsNothingOfIt() async throws {
        try await TwoHosts.with(.dual, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await Example.put(on: sender)
                let examined = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await sender.start(["send", Example.name, "--yes", "-v"]) { child in
                    let line = try await child.waitForOutput { $0.contains("--connect 10.77.0.1") }
                    let address = try #require(line.split(separator: " ").last)
                    try await child.waitForErrorOutput { $0.contains("event=published") }
                    let path = try await examined.run("doctor", "--with", String(address))
                    #expect(path.code == 0, "\(path)")
                    let all = try await examined.run("doctor")
                    #expect(try all.lines("finding").contains { $0["code"]?.string == "peerReached" }, "\(all)")
                    child.kill(SIGINT)
                    let ending = await child.ending()
                    #expect(!ending.output.contains { $0.contains("Not sent") }, "\(ending)")
                }
            }
        }
    }
}

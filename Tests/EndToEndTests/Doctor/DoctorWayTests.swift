import Foundation
import PeerTestSupport
import Testing

/// `doctor --with`, hints of other commands, and the end of `doctor` before it is done.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct DoctorWayTests {
    private func withHosts(
        _ network: TwoHosts.Network = .v4,
        _ body: (_ hosts: TwoHosts, _ a: Laptop, _ b: Laptop) async throws -> Void
    ) async throws {
        try await TwoHosts.with(network, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let a = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await body(hosts, a, Laptop(network: .host(hosts, .b), store: directory.path("b")))
            }
        }
    }

    private func finding(_ code: String, in ending: Ending) throws -> JSONValue {
        try #require(try ending.lines("finding").first { $0["code"]?.string == code }, "\(ending)")
    }

    /// Nothing listens there: packets cross in both directions, and that is said.
    @Test func aRefusalIsAWarningThatNamesThePort() async throws {
        try await withHosts { _, _, b in
            let ending = try await b.run("doctor", "--with", "10.77.0.1:64453")
            #expect(ending.code == 0, "\(ending)")
            let refused = try finding("portRefused", in: ending)
            #expect(refused["severity"]?.string == "warning")
            #expect(refused["remedy"]?.string?.contains("hikeshare send") == true)
            #expect(refused["port"]?.int == 64_453)
            let other = try finding("otherDirection", in: ending)
            #expect(other["commands"]?.array == [.string("hikeshare doctor --with 10.77.0.2")])
        }
    }

    @Test func anAddressOfTheMachineItselfIsToldAsOne() async throws {
        try await withHosts { _, _, b in
            let ending = try await b.run("doctor", "--with", "10.77.0.2")
            #expect(ending.code == 3, "\(ending)")
            #expect(try finding("ownAddress", in: ending)["message"]?.string == "10.77.0.2 is this laptop itself.")
        }
    }

    /// The kernel finds the machine in two seconds, and connects in another two.
    @Test func aSlowNetworkIsSlowForDoctorAndReceiveAlike() async throws {
        try await TwoHosts.with(.v4, delay: 1000, hasDiscovery: false, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let a = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let b = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: a)
                try await a.sendQuietly(Example.name) { running in
                    let address = "10.77.0.1:\(running.port)"
                    let received = try await b.run("receive", "--yes", "--retries", "0", "--connect", address)
                    #expect(received.code == 0, "\(received)")
                    let reached = try finding("peerReached", in: try await b.run("doctor", "--with", address))
                    #expect(reached["message"]?.string?.contains("slow or loses packets") == true, "\(reached)")
                }
            }
        }
    }

    /// A machine that answers, and whose answers lead nowhere.
    @Test func whoAnswersAndIsNotListedIsNamed() async throws {
        try await withHosts { hosts, _, b in
            try await hosts.killDaemon(.a)
            let responder = #"""
                import socket as n
                s = n.socket(n.AF_INET, n.SOCK_DGRAM)
                s.setsockopt(n.SOL_SOCKET, n.SO_REUSEADDR, 1)
                s.bind(("", 5353))
                own, group = n.inet_aton("10.77.0.1"), n.inet_aton("224.0.0.251")
                s.setsockopt(n.IPPROTO_IP, n.IP_ADD_MEMBERSHIP, group + own)
                s.setsockopt(n.IPPROTO_IP, n.IP_MULTICAST_IF, own)
                s.setsockopt(n.IPPROTO_IP, n.IP_MULTICAST_TTL, 255)
                name = b"\x0a_hikeshare\x04_tcp\x05local\x00"
                pointer = b"\x00\x0c\x00\x01\x00\x00\x00\x78\x00\x07\x04Anna\xc0\x0c"
                print("ready", flush=True)
                while True:
                    question = s.recv(9000)
                    if b"_hikeshare" in question and not question[2] & 0x80:
                        s.sendto(b"\0\0\x84\0\0\0\0\x01\0\0\0\0" + name + pointer, ("224.0.0.251", 5353))
                """#
            try await hosts.run(on: .a, "/usr/bin/python3", ["-c", responder]) { child in
                try await child.waitForOutput { $0 == "ready" }
                let ending = try await b.run("doctor")
                #expect(ending.code == 0, "\(ending)")
                let unaware = try finding("avahiUnaware", in: ending)
                #expect(unaware["message"]?.string?.contains("10.77.0.1") == true, "\(ending)")
                #expect(unaware["severity"]?.string == "warning")
            }
        }
    }

    @Test func anotherProgramAtThePortOfAvahiIsTold() async throws {
        try await withHosts { hosts, _, b in
            try await hosts.killDaemon(.b)
            let holder =
                "import socket, time; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', 5353)); "
                + "print('ready', flush=True); time.sleep(1000)"
            try await hosts.run(on: .b, "/usr/bin/python3", ["-c", holder]) { child in
                try await child.waitForOutput { $0 == "ready" }
                let ending = try await b.run("doctor")
                #expect(ending.code == 8, "\(ending)")
                let found = try finding("avahiUnusable", in: ending)
                let commands: [JSONValue] = [
                    .string("sudo ss -ulpn sport = 5353"), .string("sudo systemctl start avahi-daemon"),
                ]
                #expect(found["commands"]?.array == commands)
                // The command names the program.
                let words = ["-ulpn", "sport", "=", "5353"]
                let shown = try await hosts.run(on: .b, "ss", words) { await $0.ending() }
                #expect(shown.output.contains { $0.contains("python3") }, "\(shown)")
            }
        }
    }

    @Test func anAvahiThatRunsWithoutDBusIsNotToBeStarted() async throws {
        try await withHosts { hosts, _, b in
            try await hosts.killDaemon(.b)
            try await hosts.shell(
                .b,
                """
                sed -i 's/^\\[server\\]/&\\nenable-dbus=no/' /run/avahi.conf
                mount --bind /run/avahi.conf /etc/avahi/avahi-daemon.conf; rm -f /run/avahi-daemon/pid
                """
            )
            let arguments = ["-f", "/run/avahi.conf", "--no-drop-root", "--no-chroot", "--no-rlimits"]
            try await hosts.run(on: .b, "avahi-daemon", arguments) { child in
                try await child.waitForErrorOutput { $0.contains("Server startup complete") }
                let ending = try await b.run("doctor")
                #expect(ending.code == 8, "\(ending)")
                let remedy = try finding("avahiUnusable", in: ending)["remedy"]?.string
                #expect(
                    remedy?.hasPrefix("Take the line out of /etc/avahi/avahi-daemon.conf") == true,
                    "\(ending)"
                )
            }
        }
    }

    @Test func aBusThatRefusesTheUserIsNotSaidToBeStopped() async throws {
        try await withHosts { hosts, _, b in
            let configuration = """
                <busconfig><listen>unix:path=/run/closed</listen><auth>EXTERNAL</auth>
                <policy context='default'><deny user='*'/></policy></busconfig>
                """
            try await hosts.shell(.b, "cat >/run/closed.conf <<'END'\n\(configuration)\nEND")
            let arguments = ["--config-file=/run/closed.conf", "--nofork", "--nopidfile", "--print-address"]
            try await hosts.run(on: .b, "dbus-daemon", arguments) { child in
                try await child.waitForOutput { $0.hasPrefix("unix:") }
                let ending = try await b.run(
                    "doctor",
                    environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/run/closed"]
                )
                #expect(ending.code == 8, "\(ending)")
                _ = try finding("busDenied", in: ending)
                let hotspot = try finding("hotspot", in: ending)["message"]?.string
                #expect(hotspot?.contains("does not let this user in") == true, "\(ending)")
            }
        }
    }

    @Test func anAddressWithoutAMachineIsAProblem() async throws {
        try await withHosts { _, _, b in
            let ending = try await b.run("doctor", "--with", "10.77.0.9")
            #expect(ending.code == 3, "\(ending)")
            #expect(try finding("peerGone", in: ending)["message"]?.string?.contains("10.77.0.9:64453") == true)
        }
    }

    @Test func anAddressWithoutARouteIsAProblemWithoutAFirewall() async throws {
        try await withHosts { _, _, b in
            let ending = try await b.run("doctor", "--with", "10.99.0.2")
            #expect(ending.code == 3, "\(ending)")
            let noRoute = try finding("noRoute", in: ending)
            #expect(noRoute["message"]?.string?.contains("10.77.0.2/24 on lan0") == true, "\(ending)")
            #expect(noRoute["commands"] == nil, "\(ending)")
        }
    }

    /// Only this part of the disk is read-only.
    @Test func theCommandForAReadOnlyFolderNamesItsMount() async throws {
        try await withHosts { hosts, _, b in
            let folder = "'\(b.store)'"
            try await hosts.shell(
                .b,
                "mkdir -p \(folder); mount --bind \(folder) \(folder); mount -o remount,ro,bind \(folder)"
            )
            let before = try await b.run("doctor")
            #expect(before.code == 7, "\(before)")
            let command = try #require(try finding("readOnly", in: before)["commands"]?.array.first?.string)
            try #require(command.hasPrefix("sudo mount -o remount,rw "), "\(command)")
            #expect(command.contains(b.store), "\(command)")
            try await hosts.shell(.b, String(command.dropFirst("sudo ".count)))
            let after = try await b.run("doctor")
            #expect(after.code == 0, "\(after)")
        }
    }

    @Test func aNameWithoutAnAddressIsAProblem() async throws {
        try await withHosts { _, _, b in
            let ending = try await b.run("doctor", "--with", "nosuchhost")
            #expect(ending.code == 3, "\(ending)")
            #expect(try finding("unknownHost", in: ending)["message"]?.string?.contains("nosuchhost") == true)
            #expect(try finding("address", in: ending)["severity"]?.string == "ok")
        }
    }

    @Test func anotherProgramAtTheAddressIsTold() async throws {
        try await withHosts { hosts, _, b in
            let server =
                "import http.server as h; s = h.HTTPServer(('', 0), h.SimpleHTTPRequestHandler); "
                + "print(s.server_port, flush=True); s.serve_forever()"
            try await hosts.run(on: .a, "/usr/bin/python3", ["-c", server]) { child in
                let port = try await child.waitForOutput { Int($0) != nil }
                let ending = try await b.run("doctor", "--with", "10.77.0.1:\(port)")
                #expect(ending.code == 3, "\(ending)")
                _ = try finding("otherProgram", in: ending)
            }
        }
    }

    /// A captive portal: all connections lead to a web server, so an open port alone says nothing.
    @Test func aSenderBehindAnotherProgramIsNotReached() async throws {
        try await withHosts { hosts, a, b in
            try await Example.put(on: a)
            try await a.send(Example.name) { running in
                try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                // Servers of sign-in pages do not understand TLS on a port for pages.
                let server = """
                    import socket
                    server = socket.create_server(("", 0))
                    print(server.getsockname()[1], flush=True)
                    while True:
                        client = server.accept()[0]
                        client.recv(9)
                        client.sendall(b"HTTP/1.1 400 Bad Request\\r\\nConnection: close\\r\\n\\r\\n")
                        client.close()
                    """
                try await hosts.run(on: .b, "/usr/bin/python3", ["-c", server]) { child in
                    let port = try await child.waitForOutput { Int($0) != nil }
                    try await hosts.shell(
                        .b,
                        """
                        nft add table ip portal
                        nft add chain ip portal out '{ type nat hook output priority -100; }'
                        nft add rule ip portal out tcp dport \(running.port) redirect to :\(port)
                        """
                    )
                    let ending = try await b.run("doctor")
                    #expect(ending.code == 3, "\(ending)")
                    _ = try finding("signInPage", in: ending)
                }
            }
        }
    }

    /// Avahi of Debian announces on loopback, too.
    @Test func itsOwnSenderIsNoOtherMachine() async throws {
        try await withHosts(.dual) { hosts, a, _ in
            try await hosts.killDaemon(.a)
            try await hosts.shell(.a, "sed -i /allow-interfaces/d /run/avahi.conf")
            try await hosts.startDaemon(.a)
            try await Example.put(on: a)
            try await a.send(Example.name) { running in
                try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                let ending = try await a.run("doctor")
                #expect(ending.code == 0, "\(ending)")
                _ = try finding("noPeers", in: ending)
                #expect(try !ending.lines("finding").contains { $0["code"]?.string == "peerReached" }, "\(ending)")
                let told = try await a.tell("doctor")
                #expect(told.output.first?.hasPrefix("No problem found on this machine.") == true, "\(told)")
                #expect(told.output.contains { $0.contains("hikeshare doctor --with ADDRESS") }, "\(told)")
            }
        }
    }

    /// What `doctor` would say stands below the error.
    @Test func receiveSaysWhatKeepsTheMachinesApart() async throws {
        try await withHosts { hosts, a, b in
            try await Example.put(on: a)
            try await a.send(Example.name) { running in
                try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                #expect(try await b.browse(untilFound: 1).code == 0)
                for side in [TwoHosts.Side.a, .b] {
                    try await hosts.shell(
                        side,
                        """
                        nft add table netdev cell
                        nft add chain netdev cell in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
                        nft add rule netdev cell in meta pkttype host drop
                        """
                    )
                }
                let ending = try await b.run("receive", "--yes", "--retries", "0")
                #expect(ending.code == 3, "\(ending)")
                let hints = try ending.problem()["hints"]?.array.compactMap(\.string) ?? []
                #expect(hints.contains { $0.contains("client isolation") }, "\(ending)")
                #expect(!hints.contains { $0.contains("ufw") }, "\(ending)")
                #expect(try ending.problem()["remedy"]?.string?.contains("hikeshare doctor") == true, "\(ending)")
            }
        }
    }

    @Test func aVPNToTheInternetIsAWarningAsLongAsNothingIsFound() async throws {
        try await withHosts { hosts, a, b in
            try await hosts.shell(.b, "ip tuntap add wg0 mode tun; ip link set wg0 up; ip route add default dev wg0")
            let alone = try await b.run("doctor")
            #expect(alone.code == 0, "\(alone)")
            #expect(try finding("tunnelActive", in: alone)["severity"]?.string == "warning")
            try await Example.put(on: a)
            try await a.send(Example.name) { running in
                try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                let together = try await b.run("doctor")
                #expect(try finding("tunnelActive", in: together)["severity"]?.string == "note")
                _ = try finding("peerReached", in: together)
            }
        }
    }

    @Test func receiveAndBrowseGiveTheSameHints() async throws {
        try await withHosts { hosts, _, b in
            try await hosts.shell(
                .b,
                """
                nft add table inet filter
                nft add chain inet filter input '{ type filter hook input priority 0; policy accept; }'
                nft add rule inet filter input udp dport 5353 drop
                """
            )
            for command in [["receive", "--yes"], ["browse"]] {
                let ending = try await b.start(command + ["--timeout", "1", "--format", "json"]) { await $0.ending() }
                #expect(ending.code == 3, "\(ending)")
                let hints = try ending.problem()["hints"]?.array.compactMap(\.string) ?? []
                let first = try #require(hints.first)
                #expect(first.contains("doctor --open-firewall"), "\(ending)")
                #expect(hints.contains { $0.contains("hikeshare doctor") }, "\(ending)")
                for word in ["'hikeshare send'", "same Wi-Fi", "no VPN is on?", "firewall", "hikeshare receive --link"]
                {
                    #expect(hints.contains { $0.contains(word) }, "\(ending)")
                }
            }
        }
    }

    @Test func anUnansweredAddressGivesTheHintOfTheTunnel() async throws {
        try await withHosts { hosts, _, b in
            try await hosts.shell(
                .b,
                """
                ip tuntap add tun7 mode tun; ip link set tun7 up; ip addr add 10.9.0.2/32 dev tun7
                ip route add 10.77.0.0/25 dev tun7
                """
            )
            let ending = try await b.run("receive", "--yes", "--retries", "0", "--connect", "10.77.0.1:9")
            #expect(ending.code == 3, "\(ending)")
            let hints = try ending.problem()["hints"]?.array.compactMap(\.string) ?? []
            #expect(hints.contains { $0.contains("sudo ip link set tun7 down") }, "\(ending)")
        }
    }

    @Test func sendSaysWhyItHasNoAddress() async throws {
        try await withHosts(.ll6) { hosts, a, _ in
            try await Example.put(on: a)
            try await hosts.shell(.a, "ip link set lan0 down")
            try await a.start(["send", Example.name, "--yes"]) { child in
                _ = try await child.waitForErrorOutput { $0.contains("sudo ip link set lan0 up") }
            }
        }
    }

    @Test func aPersonMayStopIt() async throws {
        try await withHosts { _, _, b in
            try await b.start(["doctor", "-v"]) { child in
                try await child.waitForErrorOutput { $0.contains("initial peers reported") }
                child.kill(SIGINT)
                let ending = await child.ending()
                #expect(ending.code == 130, "\(ending)")
                #expect(ending.output.isEmpty, "\(ending)")
            }
        }
    }
}

import Foundation
import PeerTestSupport
import Testing

/// `doctor` on machines with one fault each, made for real.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct DoctorTests {
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
            guard fault.isMended else { return }
            let commands = found.first?["commands"]?.array ?? []
            for command in commands.compactMap(\.string) where command.hasPrefix("sudo ") {
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

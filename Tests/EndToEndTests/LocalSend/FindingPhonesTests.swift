import Foundation
import PeerTestSupport
import Testing

/// When the laptop is in the lists of phones, and when not.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct FindingPhonesTests {
    @Test(arguments: [["--no-localsend"], ["--private"], ["--no-discovery"], []])
    func whoDoesNotWantItIsNotSeen(_ options: [String]) async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone { phone in
                try await hosts.laptop.inTerminal(["send", Example.name] + options) { terminal in
                    _ = try await terminal.senderPort()
                    if options.isEmpty { try await phone.finds(hosts.laptop.name) }
                    // It asks who is there, and waits for answers.
                    let devices = try await phone.command("devices", "--scan", "--json")
                    #expect(devices.output.joined().contains(hosts.laptop.name) == options.isEmpty, "\(devices)")
                    let sockets = try await hosts.laptop.beside("ss", ["-Htuln", "sport = :53317"]) {
                        await $0.ending()
                    }
                    try #require(sockets.code == 0, "\(sockets)")
                    #expect(sockets.output.isEmpty != options.isEmpty, "\(sockets)")
                }
            }
        }
    }

    @Test func besideLocalSendItselfAnotherPortIsUsed() async throws {
        try await PhoneHosts.withOne { hosts in
            try await LocalSendPhone.with("Here", on: hosts.laptop.network, in: hosts.directory) { _ in
                try await hosts.phone { phone in
                    try await phone.finds("Here")
                    async let sending = hosts.send(to: phone.name)
                    let listed = try await phone.finds(hosts.laptop.name)
                    #expect(listed["port"]?.int != 53317, "\(listed)")
                    try await phone.answer(true)
                    let sent = try await sending
                    #expect(sent.code == 0, "\(sent)")
                }
            }
        }
    }

    @Test func anotherProgramFindsTheLaptopAndSendsToIt() async throws {
        try await PhoneHosts.withOne { hosts in
            let other = try await hosts.command()
            let file = try hosts.file("hut.gpx", Data(UploadTests.gpx.utf8))
            try await hosts.laptop.inTerminal(["send", Example.name], columns: 200, rows: 60) { terminal in
                let found = try await other.scan(for: hosts.laptop.name)
                #expect(found["ip"]?.string == "10.77.0.1")
                async let sending = other.send([file], to: "10.77.0.1", port: try #require(found["port"]?.int))
                for count in 1...2 {
                    try await terminal.wait {
                        $0.components(separatedBy: "[y/N] y").count >= count && $0.hasSuffix("[y/N] ")
                    }
                    try terminal.type("y\r")
                }
                let sent = try await sending
                #expect(sent.output.contains { $0.contains(#""event": "sent""#) }, "\(sent)")
                try await terminal.wait(for: "To \(Example.name): ")
            }
        }
    }

    @Test(arguments: [nil, "2718"]) func anotherProgramReceives(pin: String?) async throws {
        try await PhoneHosts.withOne { hosts in
            let other = try await hosts.command()
            try await other.receive(pin: pin) { child in
                // It has a name of its own making, which is that of its host.
                let host = try await hosts.phones[0].output(of: "hostname")
                let sent = try await hosts.laptop.start(
                    ["send", Example.name, "--phone", "localsend-cli@" + host, "--as", "mbtiles", "--once", "--yes"]
                        + ["--format", "json"] + (pin.map { ["--phone-pin", $0] } ?? [])
                ) { await $0.ending() }
                #expect(sent.code == 0, "\(sent)")
                let line = try await child.waitForOutput { $0.contains(#""event": "saved""#) }
                let path = try #require(try JSONValue(parsing: line)["path"]?.string)
                #expect(FileManager.default.contentsEqual(atPath: path, andPath: Example.map))
            }
        }
    }
}

extension Laptop.Network {
    /// Runs a program on a host; returns the first line that it prints.
    fileprivate func output(of program: String) async throws -> String {
        let ending = try await Laptop(network: self, store: "").beside(program, []) { await $0.ending() }
        return try #require(ending.output.first, "\(ending)")
    }
}

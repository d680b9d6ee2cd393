import Foundation
import PeerTestSupport
import Testing

/// Another device that has LocalSend: `localsend-cli`, a program of other people, on a host.
///
/// It shows no certificate of its own, as LocalSend did before version 1.18.
struct LocalSendCommand: Sendable {
    /// The host.
    let network: Laptop.Network
    /// The folder of its files.
    let home: String

    /// Creates it with a folder of its own.
    init(on network: Laptop.Network, in directory: TemporaryDirectory) async throws {
        (self.network, home) = (network, directory.path("command-" + UUID().uuidString.prefix(8)))
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try await network.shell("ip route replace 224.0.0.0/4 dev lan0")
    }

    /// Looks for devices until one is there; returns what it found.
    func scan(for name: String) async throws -> JSONValue {
        let end = ContinuousClock.now + .patience
        while true {
            let ending = try await run(["scan", "--timeout", "2", "--json"])
            let found = ending.output.compactMap { try? JSONValue(parsing: $0) }.first { $0["alias"]?.string == name }
            if let found { return found }
            try #require(ContinuousClock.now < end, "\(name) was not found: \(ending)")
        }
    }

    /// Sends files to an address.
    func send(_ files: [String], to address: String, port: Int) async throws -> Ending {
        try await run(["send", address] + files + ["--port", "\(port)", "--json"])
    }

    /// Receives files, which it takes from everyone, until `body` returns; it is called when others can send.
    ///
    /// `body` gets the program, whose lines of output say what happens.
    func receive<Result>(pin: String? = nil, _ body: (ChildProcess) async throws -> Result) async throws -> Result {
        let options = ["receive", "--output", home + "/received", "--json"] + (pin.map { ["--pin", $0] } ?? [])
        return try await network.runPython("localsend_cli.main", options, home: home) { child in
            try await child.waitForOutput { $0.contains(#""event": "ready""#) }
            return try await body(child)
        }
    }

    private func run(_ arguments: [String]) async throws -> Ending {
        try await network.runPython("localsend_cli.main", arguments, home: home) { await $0.ending() }
    }
}

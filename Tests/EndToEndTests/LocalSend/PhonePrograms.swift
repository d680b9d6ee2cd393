import Foundation
import PeerTestSupport
import Testing

/// The programs of other people that speak LocalSend, which `Scripts/setup test` installs.
enum PhonePrograms {
    /// Debian's own Python: what the programs need is installed for no other.
    static let python = "/usr/bin/python3"

    /// The environment of a program that has its files in a folder of a test.
    static func environment(home: String) -> [String: String?] {
        [
            "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil,
            "PYTHONPATH": Place.repository + "/.build/localsend", "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            // Certificates of devices are signed by themselves.
            "REQUESTS_CA_BUNDLE": nil, "CURL_CA_BUNDLE": nil,
        ]
    }
}

extension Laptop.Network {
    /// Runs a module of Python on a host.
    func runPython<Result>(
        _ module: String,
        _ arguments: [String],
        home: String,
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let all = ["-u", "-m", module] + arguments
        let machine = Laptop(network: self, store: home)
        return try await machine.beside(
            PhonePrograms.python,
            all,
            environment: PhonePrograms.environment(home: home),
            body
        )
    }

    /// Runs a script on a host; throws if it fails.
    func shell(_ script: String) async throws {
        let ending = try await Laptop(network: self, store: "").beside("sh", ["-ec", script]) { await $0.ending() }
        try #require(ending.code == 0, "\(ending)")
    }
}

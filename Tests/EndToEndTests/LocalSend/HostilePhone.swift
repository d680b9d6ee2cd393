import Foundation
import PeerTestSupport
import Testing

/// A device that speaks LocalSend and means harm: `Tests/HostilePhone`, on a host.
struct HostilePhone: Sendable {
    /// The name that it claims.
    static let name = "Mallory"

    /// The host.
    let network: Laptop.Network
    /// The folder of its key.
    let home: String

    /// Creates it with a key of its own.
    init(on network: Laptop.Network, in directory: TemporaryDirectory) async throws {
        (self.network, home) = (network, directory.path("hostile-" + UUID().uuidString.prefix(8)))
        try await network.shell("ip route replace 224.0.0.0/4 dev lan0")
    }

    /// Starts a step against the laptop, calls `body` and kills it if it still runs then.
    func start<Result>(
        _ step: String,
        _ options: [String] = [],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let program = ["-B", Place.repository + "/Tests/HostilePhone", step, "--home", home, "--alias", Self.name]
        let machine = Laptop(network: network, store: home)
        return try await machine.beside(PhonePrograms.python, program + ["--to", "10.77.0.1"] + options, body)
    }

    /// Performs a step to its end; returns what came of it.
    func run(_ step: String, _ options: String...) async throws -> [JSONValue] {
        let ending = try await start(step, options) { await $0.ending() }
        try #require(ending.code == 0, "\(ending)")
        return try ending.lines
    }

    /// Performs a step to its end; returns the HTTP status of each case, nil if the laptop closed the connection.
    func statuses(_ step: String, _ options: String...) async throws -> [String: Int?] {
        let ending = try await start(step, options) { await $0.ending() }
        try #require(ending.code == 0, "\(ending)")
        return try ending.lines.reduce(into: [:]) { found, line in
            if let name = line["case"]?.string { found.updateValue(line["status"]?.int, forKey: name) }
        }
    }
}

extension ChildProcess {
    /// The most memory that the program has had of its own, in KiB, without the pages of files that it maps.
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        let peak = try #require(status.firstMatch(of: /VmHWM:\s*([0-9]+) kB/).flatMap { Int($0.1) })
        let files = try #require(status.firstMatch(of: /RssFile:\s*([0-9]+) kB/).flatMap { Int($0.1) })
        return peak - files
    }

    /// For how many seconds its threads have computed.
    func processorTime() throws -> Double {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")
        return threads.reduce(0) { total, thread in
            let times = try? String(contentsOfFile: "/proc/\(processID)/task/\(thread)/schedstat", encoding: .utf8)
            return total + (times?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
        }
    }
}

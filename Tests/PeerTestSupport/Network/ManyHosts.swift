/// Several nearby machines on this one: network namespaces, each with a cable to a bridge, and nothing else in reach.
///
/// Made by `Scripts/hosts`; needs root. If they cannot be made, the test fails. For two machines on one cable, see
/// ``TwoHosts``.
public struct ManyHosts: Sendable {
    /// One of the machines.
    public struct Host: Sendable {
        /// The letter of the host: `a`, `b` and so on.
        public let name: String

        fileprivate let script: HostsScript

        /// Runs a program on the host.
        ///
        /// It gets this process's environment with `environment` on top; its D-Bus is the host's own.
        public func run<Result>(
            _ executable: String,
            _ arguments: [String] = [],
            environment: [String: String?] = [:],
            _ body: (ChildProcess) async throws -> Result
        ) async throws -> Result {
            try await script.run(on: name, executable, arguments, environment: environment, body)
        }

        /// The command line that runs a program on the host, without the address of this machine's own D-Bus.
        public func command(_ executable: String, _ arguments: [String] = []) -> [String] {
            script.command(on: name, executable, arguments)
        }

        /// Runs a shell script on the host; throws if it fails.
        public func shell(_ script: String) async throws {
            try await self.script.call("exec", [name, "sh", "-ec", script])
        }

        /// Takes the link of the host down, as when its person walks out of reach of everyone.
        public func cut() async throws {
            try await script.call("cut", [name])
        }

        /// Takes the link of the host up again.
        public func join() async throws {
            try await script.call("join", [name])
        }

        /// Replaces the cable of the host by another one, which the host has later than every other interface.
        public func replugCable() async throws {
            try await script.call("replug", [name])
        }

        /// Ends the Avahi daemon of the host with a farewell to others.
        public func stopDaemon() async throws {
            try await script.call("avahi", [name, "stop"])
        }

        /// Ends the Avahi daemon of the host without a farewell: others go on believing what it announced.
        public func killDaemon() async throws {
            try await script.call("avahi", [name, "kill"])
        }

        /// Starts the Avahi daemon of the host again, which reads its configuration in `/run/avahi.conf`.
        public func startDaemon() async throws {
            try await script.call("avahi", [name, "start"])
        }
    }

    /// All hosts, in the order of their letters.
    public let all: [Host]

    private let script: HostsScript

    /// Makes hosts that all reach each other, calls `body` and takes them down.
    ///
    /// ```swift
    /// try await ManyHosts.withHosts(count: 3, net: .ll6, repository: repository) { hosts in
    ///     try await hosts.separate("ab", "bc")
    ///     let (status, output, _) = try await hosts[0].run(program) { await $0.complete() }
    ///     try await hosts.heal()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many: 3 to 12.
    ///   - net: What the cables carry.
    ///   - rate: How fast each cable is, in the words of `tc`; nil for no limit.
    ///   - hasDiscovery: Whether each host has a D-Bus and an Avahi daemon.
    ///   - repository: The folder that holds `Scripts`.
    ///   - body: Uses the hosts.
    /// - Returns: What `body` returns.
    /// - Throws: If the hosts cannot be made, and what `body` throws.
    public static func withHosts<Result>(
        count: Int,
        net: TwoHosts.Network = .dual,
        rate: String? = nil,
        hasDiscovery: Bool = true,
        repository: String,
        _ body: (ManyHosts) async throws -> Result
    ) async throws -> Result {
        let options =
            ["--count", "\(count)", "--net", net.rawValue] + (rate.map { ["--rate", $0] } ?? [])
            + (hasDiscovery ? ["--mdns"] : [])
        return try await HostsScript.with(options, repository: repository) { script in
            let hosts = "abcdefghijkl".prefix(count).map { Host(name: String($0), script: script) }
            return try await body(ManyHosts(all: hosts, script: script))
        }
    }

    /// The host at a position: the host at 0 is `a`.
    public subscript(_ position: Int) -> Host { all[position] }

    /// Lets only hosts of the same group reach each other; links stay up, and packets between groups are lost.
    ///
    /// A host may be in several groups: after `separate("ab", "bc")`, b reaches a and c, and they do not reach each
    /// other. A host in no group reaches none. The groups replace those before.
    ///
    /// - Parameter groups: The letters of the hosts of each group.
    /// - Throws: If a letter is not that of a host.
    public func separate(_ groups: String...) async throws {
        try await script.call("separate", groups)
    }

    /// Ends the separation: all hosts reach each other.
    public func heal() async throws {
        try await script.call("heal")
    }

    /// Takes the links of all hosts down.
    public func cut() async throws {
        try await script.call("cut")
    }

    /// Takes the links of all hosts up again.
    public func join() async throws {
        try await script.call("join")
    }
}

/// Two nearby machines on this one: network namespaces joined by a cable, and nothing else in reach.
///
/// Made by `Scripts/hosts`; needs root. If they cannot be made, the test fails.
public struct TwoHosts: Sendable {
    /// What the cable carries.
    public enum Network: String, Sendable {
        /// IPv4 and IPv6 link-local.
        case dual
        /// IPv4 only.
        case v4
        /// IPv6 link-local only: a cable between two laptops.
        case ll6
    }

    /// One of the two.
    public enum Side: String, Sendable {
        case a
        case b
    }

    private let script: HostsScript

    /// Makes two hosts, calls `body` and takes them down.
    ///
    /// - Parameters:
    ///   - network: What the cable carries.
    ///   - rate: How fast it is, in the words of `tc`; nil for no limit.
    ///   - delay: How long each packet takes, in milliseconds.
    ///   - hasDiscovery: Whether each host has a D-Bus and an Avahi daemon.
    ///   - repository: The folder that holds `Scripts`.
    ///   - body: Uses the hosts.
    /// - Returns: What `body` returns.
    /// - Throws: If the hosts cannot be made, and what `body` throws.
    public static func with<Result>(
        _ network: Network,
        rate: String? = nil,
        delay: Int = 0,
        hasDiscovery: Bool = true,
        repository: String,
        _ body: (TwoHosts) async throws -> Result
    ) async throws -> Result {
        let options =
            ["--net", network.rawValue] + (rate.map { ["--rate", $0] } ?? []) + ["--delay", "\(delay)"]
            + (hasDiscovery ? ["--mdns"] : [])
        return try await HostsScript.with(options, repository: repository) { script in
            try await body(TwoHosts(script: script))
        }
    }

    /// Runs a program on one of the hosts.
    ///
    /// It gets this process's environment with `environment` on top; its D-Bus is the host's own.
    public func run<Result>(
        on side: Side,
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await script.run(on: side.rawValue, executable, arguments, environment: environment, body)
    }

    /// The command line that runs a program on one of the hosts, without the address of this machine's own D-Bus.
    public func command(on side: Side, _ executable: String, _ arguments: [String] = []) -> [String] {
        script.command(on: side.rawValue, executable, arguments)
    }

    /// Gives both hosts virtual interfaces as container engines make them, each with a link-local address of its own.
    ///
    /// - Parameters:
    ///   - count: How many pairs and as many bridges.
    ///   - names: How the names of the pairs begin.
    /// - Throws: If the interfaces cannot be made.
    public func addVirtualInterfaces(_ count: Int, named names: String) async throws {
        let script = """
            set -e
            for i in $(seq "$1"); do
                ip link add "$2$i" type veth peer name "$2${i}x"
                ip link add "br-$i" type bridge
                ip link set "$2${i}x" master "br-$i"
                for d in "$2$i" "$2${i}x" "br-$i"; do
                    sysctl -qw "net.ipv6.conf.$d.accept_dad=0"
                    ip link set "$d" up
                done
                ip addr add "172.$((16 + i)).0.1/16" dev "br-$i"
            done
            for i in $(seq "$1"); do
                for d in "$2$i" "br-$i"; do
                    for n in $(seq 100); do ip -6 -o addr show dev "$d" | grep -q fe80 && break; sleep 0.05; done
                    ip -6 -o addr show dev "$d" | grep -q fe80
                done
            done
            """
        for side in ["a", "b"] {
            try await self.script.call("exec", [side, "sh", "-c", script, "sh", "\(count)", names])
        }
    }

    /// Replaces the cable by another one, which both hosts have later than every other interface.
    public func replugCable() async throws {
        try await script.call("replug")
    }

    /// Ends the Avahi daemon of a host without a farewell: others go on believing what it announced.
    public func killDaemon(_ side: Side) async throws {
        try await script.call("avahi", [side.rawValue, "kill"])
    }

    /// Starts the Avahi daemon of a host again, which reads its configuration in `/run/avahi.conf`.
    public func startDaemon(_ side: Side) async throws {
        try await script.call("avahi", [side.rawValue, "start"])
    }

    /// Runs a script on a host; throws if it fails.
    public func shell(_ side: Side, _ script: String) async throws {
        try await self.script.call("exec", [side.rawValue, "sh", "-ec", script])
    }

    /// Takes the link down, as when two people walk out of reach of one another.
    public func cut() async throws {
        try await script.call("cut")
    }

    /// Takes the link up again.
    public func join() async throws {
        try await script.call("join")
    }

    /// Changes the rate of the link, as `tc` writes rates; `none` for no limit.
    public func shape(rate: String) async throws {
        try await script.call("shape", ["--rate", rate])
    }
}

import Foundation
import Glibc

/// NetworkManager and a D-Bus of a test's own, in a network of their own that has a cable but no Wi-Fi card.
///
/// The interface `net0` is at one end of the cable, `net1` at the other. Both are free: NetworkManager uses no interface by itself
/// that no connection is made for. Needs root, network-manager, dnsmasq-base, dbus-daemon and util-linux; if one is missing, the
/// test fails.
public final class PrivateNetworkManager: Sendable {
    /// What the bus is reached at.
    public var busAddress: String { bus.address }

    private let bus: PrivateBus
    private let namespace: ChildProcess
    private let daemon = Locked<ChildProcess?>(nil)

    private init(bus: PrivateBus, namespace: ChildProcess) {
        self.bus = bus
        self.namespace = namespace
    }

    /// Starts both daemons, calls `body` and ends them.
    public static func with<Result>(_ body: (PrivateNetworkManager) async throws -> Result) async throws -> Result {
        try await PrivateBus.with { bus in
            try await ChildProcess.with("unshare", ["-m", "-n", "sh", "-c", script]) { namespace in
                try await namespace.waitForOutput { $0 == "ready" }
                let manager = PrivateNetworkManager(bus: bus, namespace: namespace)
                do {
                    try await manager.startDaemon()
                    let result = try await body(manager)
                    await manager.stopDaemon()
                    return result
                } catch {
                    await manager.stopDaemon()
                    throw error
                }
            }
        }
    }

    /// Runs a program in the network, with the environment that leads to the bus.
    public func run<Result>(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await ChildProcess.with(
            "nsenter",
            enter + [executable] + arguments,
            environment: environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": busAddress]) { given, _ in given },
            body
        )
    }

    /// Runs a program of the system to its end and returns the lines that it has written; throws if it fails.
    @discardableResult
    public func output(of executable: String, _ arguments: String...) async throws -> [String] {
        let (status, lines, errors) = try await run(executable, arguments) { await $0.complete() }
        guard status == .exited(0) else {
            throw ChildProcess.Failure(description: "\(executable) \(arguments): \(status) \(lines + errors)")
        }
        return lines
    }

    /// Waits until a program of the system has written what is expected; throws with what it wrote if it does not in time.
    public func wait(
        until isExpected: ([String]) -> Bool,
        _ executable: String,
        _ arguments: String...
    ) async throws {
        let deadline = ContinuousClock.now + .patience
        while true {
            let (_, lines, errors) = try await run(executable, arguments) { await $0.complete() }
            if isExpected(lines) { return }
            guard ContinuousClock.now < deadline else {
                throw ChildProcess.Failure(description: "\(executable) \(arguments) still says: \(lines + errors)")
            }
        }
    }

    /// Starts NetworkManager and waits until it is ready.
    public func startDaemon() async throws {
        let started = try await ChildProcess.start(
            "nsenter",
            enter + ["NetworkManager", "--debug"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": busAddress]
        )
        daemon.set(started)
        try await started.waitForErrorOutput { $0.contains("startup complete") }
    }

    /// Ends NetworkManager.
    public func stopDaemon() async {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        await running.end()
    }

    /// Kills the bus.
    public func stopBus() async {
        await bus.stop()
    }

    private var enter: [String] { ["-t", String(namespace.processID), "-n", "-m", "--"] }

    // Its files have fixed names, so it gets folders of its own. With a sysfs that can be written, it would wait for udev.
    private static let script = """
        set -e
        umount -l /sys
        mount -t sysfs -o ro sysfs /sys
        for folder in /run /var/lib/NetworkManager /etc/NetworkManager; do
            mount -t tmpfs -o mode=755 tmpfs "$folder"
        done
        mkdir -p /etc/NetworkManager/conf.d /etc/NetworkManager/system-connections
        cat >/etc/NetworkManager/NetworkManager.conf <<EOF
        [main]
        plugins=keyfile
        auth-polkit=root-only
        dhcp=internal
        dns=none
        rc-manager=unmanaged
        no-auto-default=*
        [connectivity]
        enabled=false
        EOF
        ip link set lo up
        ip link add net0 type veth peer name net1
        ip link set net1 up
        echo ready
        exec cat
        """
}

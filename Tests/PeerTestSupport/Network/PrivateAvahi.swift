import Foundation
import Glibc

/// A D-Bus and an Avahi daemon of a test's own, in a network of their own that has nothing but loopback.
///
/// Both run in a new network namespace and cannot be heard on any interface of the machine. Programs that shall find one
/// another and also connect must run there too: see ``run(_:_:environment:directory:_:)``. Needs root, dbus-daemon,
/// avahi-daemon and util-linux; if one is missing, the test fails.
public final class PrivateAvahi: Sendable {
    private struct State {
        var bus: ChildProcess?
        var daemon: ChildProcess?
    }

    /// What the bus is reached at: the value of `DBUS_SYSTEM_BUS_ADDRESS` for child processes.
    public var busAddress: String { "unix:path=" + busPath }

    private let busPath: String
    private let directory: TemporaryDirectory
    private let namespace: ChildProcess
    private let state = Locked(State())

    private init(busPath: String, directory: TemporaryDirectory, namespace: ChildProcess) {
        self.busPath = busPath
        self.directory = directory
        self.namespace = namespace
    }

    /// Starts both daemons, calls `body` and ends them.
    ///
    /// For child processes only; where this process itself talks to the daemon, use ``withInProcess(withLink:_:)``. With
    /// a link, the network also has an interface `link0` with an IPv6 link-local address; nobody is at its other end.
    public static func with<Result>(
        withLink: Bool = false,
        _ body: (PrivateAvahi) async throws -> Result
    ) async throws -> Result {
        try await TemporaryDirectory.with { directory in
            try await start(busPath: directory.path("bus"), directory: directory, withLink: withLink, body)
        }
    }

    /// Starts both daemons where this process looks for them, calls `body` and ends them.
    ///
    /// libdbus reads `DBUS_SYSTEM_BUS_ADDRESS` once in a process. So there is one address for it, and those who need it
    /// take turns.
    public static func withInProcess<Result>(
        withLink: Bool = false,
        _ body: (PrivateAvahi) async throws -> Result
    ) async throws -> Result {
        try await ProcessBus.exclusively { busPath in
            try await TemporaryDirectory.with { directory in
                try await start(busPath: busPath, directory: directory, withLink: withLink, body)
            }
        }
    }

    /// Calls `body` while there is no bus where this process looks for it.
    public static func withoutBusInProcess<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await ProcessBus.exclusively { _ in try await body() }
    }

    /// Runs a program in the network of the daemons, with the environment that leads to them.
    public func run<Result>(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        directory: String? = nil,
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await ChildProcess.with(
            "nsenter",
            enter(networkOnly: true) + [executable] + arguments,
            environment: environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": busAddress]) { given, _ in given },
            directory: directory ?? FileManager.default.currentDirectoryPath,
            body
        )
    }

    /// Returns the command that runs a program in the network of the daemons, for those who start it in a way of their own.
    ///
    /// Its environment must lead to ``busAddress``.
    public func command(_ executable: String, _ arguments: [String]) -> (executable: String, arguments: [String]) {
        ("nsenter", enter(networkOnly: true) + [executable] + arguments)
    }

    /// Starts the daemon and waits until it is ready.
    public func startDaemon() async throws {
        let daemon = try await ChildProcess.start(
            "nsenter",
            enter() + [
                "avahi-daemon", "-f", directory.path("avahi.conf"), "--no-drop-root", "--no-chroot", "--no-rlimits",
            ],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": busAddress]
        )
        state.withLock { $0.daemon = daemon }
        try await daemon.waitForErrorOutput { $0.contains("Server startup complete") }
    }

    /// Makes the daemon stand still: whoever asks it something gets no answer.
    public func pauseDaemon() {
        state.withLock { $0.daemon }?.kill(SIGSTOP)
    }

    /// Lets the daemon go on.
    public func resumeDaemon() {
        state.withLock { $0.daemon }?.kill(SIGCONT)
    }

    /// Ends the daemon, by default without giving it a chance to take leave.
    public func stopDaemon(politely: Bool = false) async {
        guard let daemon = state.withLock({ $0.daemon.take() }) else { return }
        daemon.kill(politely ? SIGTERM : SIGKILL)
        _ = await daemon.waitForExit()
        await daemon.end()
    }

    /// Starts the bus and waits until it is ready.
    public func startBus() async throws {
        unlink(busPath)
        let bus = try await ChildProcess.start(
            "nsenter",
            enter() + [
                "dbus-daemon", "--config-file=" + directory.path("bus.conf"), "--nofork", "--nopidfile",
                "--print-address",
            ]
        )
        state.withLock { $0.bus = bus }
        try await bus.waitForOutput { $0.hasPrefix("unix:") }
    }

    /// Kills the bus.
    ///
    /// The daemon ends itself when it notices.
    public func stopBus() async {
        await state.withLock { $0.bus.take() }?.end()
        unlink(busPath)
    }

    private func enter(networkOnly: Bool = false) -> [String] {
        ["-t", String(namespace.processID), "-n"] + (networkOnly ? [] : ["-m"]) + ["--"]
    }

    private static func start<Result>(
        busPath: String,
        directory: TemporaryDirectory,
        withLink: Bool,
        _ body: (PrivateAvahi) async throws -> Result
    ) async throws -> Result {
        try PrivateBus.configuration(busPath).write(
            to: directory.url.appending(path: "bus.conf"),
            atomically: true,
            encoding: .utf8
        )
        try avahiConfiguration(interfaces: withLink ? "lo,link0" : "lo")
            .write(to: directory.url.appending(path: "avahi.conf"), atomically: true, encoding: .utf8)
        // The daemon's files in /run have fixed names, so it gets a /run of its own as well. The namespaces go away
        // with the last process in them.
        let script = """
            set -e
            ip link set lo up
            if [ "$1" = true ]; then
                ip link add link0 type veth peer name link1
                sysctl -qw net.ipv6.conf.link0.accept_dad=0
                ip link set link1 up
                ip link set link0 up
            fi
            mount -t tmpfs tmpfs /run
            echo ready
            exec cat
            """
        return try await ChildProcess.with("unshare", ["-m", "-n", "sh", "-c", script, "sh", String(withLink)]) {
            namespace in
            try await namespace.waitForOutput { $0 == "ready" }
            let avahi = PrivateAvahi(busPath: busPath, directory: directory, namespace: namespace)
            do {
                try await avahi.startBus()
                try await avahi.startDaemon()
                let result = try await body(avahi)
                await avahi.end()
                return result
            } catch {
                await avahi.end()
                throw error
            }
        }
    }

    private func end() async {
        await stopDaemon()
        await stopBus()
    }

    private static func avahiConfiguration(interfaces: String) -> String {
        """
        [server]
        host-name=hiketest
        use-ipv4=yes
        use-ipv6=yes
        allow-interfaces=\(interfaces)
        enable-dbus=yes
        ratelimit-interval-usec=1000000
        ratelimit-burst=1000
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-hinfo=no
        publish-workstation=no
        """
    }
}

import Foundation
import Glibc

/// The one bus address of this process, used by one test at a time.
enum ProcessBus {
    private static let lock = AsyncLock()

    /// The environment for child processes: that of this process, but with no way to the machine's own bus.
    ///
    /// It is read once, before this process's own is changed, because reading and changing must not coincide.
    static var childEnvironment: [String: String] { setup.childEnvironment }

    private static let setup: (path: String, childEnvironment: [String: String]) = {
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent/system_bus_socket"
        let path = "/tmp/hikeshare-bus-\(getpid())"
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=" + path, 1)
        return (path, environment)
    }()

    /// Calls `body` with the path of the bus's socket while no other test uses it.
    static func exclusively<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let path = setup.path
        return try await lock.withLock {
            unlink(path)
            defer { unlink(path) }
            return try await body(path)
        }
    }
}

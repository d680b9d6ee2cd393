import Glibc

/// A connection to a bus, through which a program calls the services of the system.
///
/// The connection lives as long as the closure that uses it. Services can bind their work to a connection: the bus
/// tells them when the connection ends, even if the program is killed.
///
/// For example:
///
/// ```swift
/// let version = try await DBusConnection.withSystemBus { bus in
///     let name = "org.freedesktop.NetworkManager"
///     return try await bus.properties(of: name, at: "/org/freedesktop/NetworkManager", in: name)["Version"]
/// }
/// ```
package struct DBusConnection: Sendable {
    private let engine: DBusEngine
    private var isCancellable = true

    private init(engine: DBusEngine) { self.engine = engine }

    /// The same connection, but its calls wait for their answers even if the task is cancelled.
    ///
    /// For work that must be done in any case, such as undoing the work of a cancelled task. Calls still end at their limits.
    package var uncancellable: DBusConnection {
        var connection = self
        connection.isCancellable = false
        return connection
    }

    /// The address of the system bus: that in the environment variable `DBUS_SYSTEM_BUS_ADDRESS`, or the usual one.
    /// (D-Bus specification, "System message bus".)
    package static var systemAddress: String {
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/var/run/dbus/system_bus_socket"
    }

    /// Connects to the system bus, calls `body` and ends the connection.
    package static func withSystemBus<Result>(
        at address: String? = nil,
        within limit: Duration = .seconds(5),
        _ body: (DBusConnection) async throws -> Result
    ) async throws -> Result {
        let engine = DBusEngine()
        try await engine.open(address ?? systemAddress, within: limit)
        do {
            let result = try await body(DBusConnection(engine: engine))
            await engine.close()
            return result
        } catch {
            await engine.close()
            throw error
        }
    }

    /// Calls a method; a cancelled task gets ``DBusError/Code/closed``, unless the connection is ``uncancellable``.
    package func call(
        _ method: DBusMethod,
        _ arguments: [DBusValue] = [],
        within limit: Duration = DBusLimits.answerTime
    ) async throws(DBusError) -> [DBusValue] {
        try await engine.call(method, arguments, within: limit, isCancellable: isCancellable)
    }

    /// Reads all properties of an interface of an object. (D-Bus specification, "org.freedesktop.DBus.Properties".)
    package func properties(
        of service: String,
        at path: String,
        in interface: String
    ) async throws(DBusError) -> [String: DBusValue] {
        let getAll = DBusMethod(
            service: service,
            path: path,
            interface: "org.freedesktop.DBus.Properties",
            name: "GetAll"
        )
        guard let members = try await call(getAll, [.string(interface)]).first?.members else {
            throw DBusError(.badAnswer, "\(service) has answered with something else than properties.")
        }
        return members
    }

    /// Begins to report signals, for one task; they end with the connection, and only the newest unread ones are kept.
    package func signals(_ filter: DBusSignal.Filter) async throws(DBusError) -> AsyncStream<DBusSignal> {
        try await engine.signals(filter)
    }

    /// Returns the names of the services on the bus.
    package func services() async throws(DBusError) -> Set<String> {
        let list = DBusMethod(
            service: "org.freedesktop.DBus",
            path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus",
            name: "ListNames"
        )
        guard let names = try await call(list).first?.elements else {
            throw DBusError(.badAnswer, "D-Bus has answered with something else than names.")
        }
        return Set(names.compactMap(\.text))
    }
}

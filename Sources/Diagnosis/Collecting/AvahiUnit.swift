import DBus

extension AvahiFacts.Unit {
    /// The object of `avahi-daemon.service`, whose name has the bytes that D-Bus does not permit as numbers.
    private static let path = "/org/freedesktop/systemd1/unit/avahi_2ddaemon_2eservice"
    private static let manager = "org.freedesktop.systemd1"

    /// Asks the system's manager of services, which every user may.
    static func read() async -> Self {
        let unit = try? await DBusConnection.withSystemBus(within: .seconds(1)) { bus in
            try await bus.properties(of: manager, at: path, in: manager + ".Unit")
        }
        return unit.map { Self($0) } ?? .unknown
    }

    /// Reads the properties of the unit.
    init(_ properties: [String: DBusValue]) {
        switch (properties["LoadState"]?.text, properties["ActiveState"]?.text, properties["SubState"]?.text) {
        case ("masked", _, _): self = .masked
        case (_, "failed", _), (_, "activating", "auto-restart"): self = .failed
        default: self = .unknown
        }
    }
}

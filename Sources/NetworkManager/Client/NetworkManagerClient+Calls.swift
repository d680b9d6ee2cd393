import DBus

/// Calls of NetworkManager's methods.
extension NetworkManagerClient {
    /// Calls a method of one of NetworkManager's interfaces.
    ///
    /// `interface` is the part of the interface's name that follows the name of the service: empty, or a text that begins
    /// with a dot.
    func call(
        _ name: String,
        at path: String,
        in interface: String,
        _ arguments: [DBusValue] = [],
        within limit: Duration = DBusLimits.answerTime
    ) async throws(NetworkManagerError) -> [DBusValue] {
        let method = DBusMethod(service: Self.service, path: path, interface: Self.service + interface, name: name)
        do throws(DBusError) {
            return try await bus.call(method, arguments, within: limit)
        } catch {
            throw NetworkManagerError(error)
        }
    }

    /// Reads the properties of an object.
    func properties(at path: String, in interface: String) async throws(NetworkManagerError) -> [String: DBusValue] {
        do throws(DBusError) {
            return try await bus.properties(of: Self.service, at: path, in: Self.service + interface)
        } catch {
            throw NetworkManagerError(error)
        }
    }

    /// Begins to report signals.
    func signals(_ name: String, in interface: String) async throws(NetworkManagerError) -> AsyncStream<DBusSignal> {
        do throws(DBusError) {
            return try await bus.signals(
                DBusSignalFilter(service: Self.service, interface: Self.service + interface, name: name)
            )
        } catch {
            throw NetworkManagerError(error)
        }
    }
}

extension NetworkManagerError {
    /// Translates an error of D-Bus.
    init(_ error: DBusError) {
        switch error.code {
        case .busUnavailable, .serviceUnavailable: self = .noNetworkManager([])
        case .accessDenied: self = .noPermission
        case .refused where error.name?.hasSuffix(".PermissionDenied") == true: self = .noPermission
        case .connectionLost, .closed:
            self.init(.ended, "The connection to NetworkManager has ended.")
        case .timedOut:
            self.init(
                .timedOut,
                "NetworkManager does not answer.",
                remedy: "Restart it:  sudo systemctl restart NetworkManager"
            )
        case .refused, .badAnswer, .invalidArgument:
            self.init(.failed, "NetworkManager refuses: \(error.message)")
        }
    }
}

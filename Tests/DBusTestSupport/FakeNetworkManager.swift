package import DBus
package import PeerTestSupport

/// A NetworkManager that says what a test wants.
///
/// Objects have properties; calls are answered by a closure. What neither knows is an error, as it is from the real one.
package final class FakeNetworkManager: Sendable {
    package typealias Properties = [String: DBusValue]

    package static let service = "org.freedesktop.NetworkManager"
    package static let path = "/org/freedesktop/NetworkManager"

    /// The properties of the objects, by path and by what follows the name of the service in the interface.
    package let objects = Locked<[String: [String: Properties]]>([:])

    private let answer: @Sendable (FakeService.Call) -> FakeService.Answer?

    package init(answer: @escaping @Sendable (FakeService.Call) -> FakeService.Answer? = { _ in nil }) {
        self.answer = answer
    }

    /// Sets the properties of an interface of an object.
    package func set(_ path: String, _ interface: String, _ properties: Properties) {
        objects.withLock { $0[path, default: [:]][interface] = properties }
    }

    /// Takes an object away.
    package func remove(_ path: String) {
        objects.withLock { $0[path] = nil }
    }

    /// Puts it on a bus of its own, and calls `body` with the address of the bus.
    package func run<Result>(_ body: (FakeService, String) async throws -> Result) async throws -> Result {
        try await PrivateBus.with { bus in
            let respond: @Sendable (FakeService.Call) -> FakeService.Answer = { [self] in answer(to: $0) }
            return try await FakeService.with(Self.service, at: bus.address, answer: respond) { service in
                try await body(service, bus.address)
            }
        }
    }

    private func answer(to call: FakeService.Call) -> FakeService.Answer {
        if let answer = answer(call) { return answer }
        guard call.member == "GetAll", let interface = call.arguments.first?.text else {
            return .error("org.freedesktop.DBus.Error.UnknownMethod", "No such method “\(call.member)”")
        }
        let suffix = String(interface.dropFirst(Self.service.count))
        guard let properties = objects.withLock({ $0[call.path]?[suffix] }) else {
            return .error("org.freedesktop.DBus.Error.UnknownObject", "No such object path '\(call.path)'")
        }
        return .values([.settings(properties)])
    }
}

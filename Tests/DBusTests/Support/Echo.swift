import DBusTestSupport
import PeerTestSupport
import Testing

@testable import DBus

/// A service that gives back what it gets.
enum Echo {
    static let name = "org.example.Echo"
    static let path = "/org/example/Echo"
    static let interface = "org.example.Echo"

    static func method(_ name: String = "Echo") -> DBusMethod {
        DBusMethod(service: Self.name, path: path, interface: interface, name: name)
    }

    /// Answers the method Echo, and nothing else.
    static let alone: @Sendable (FakeService.Call) -> FakeService.Answer = { call in
        call.member == "Echo" ? .values(call.arguments) : .nothing
    }

    /// Answers with the name of the caller on the bus.
    static let tellsCaller: @Sendable (FakeService.Call) -> FakeService.Answer = { .values([.string($0.sender)]) }

    /// Answers nothing.
    static let silent: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in .nothing }

    /// Expects that values come back as they were sent.
    static func expect(
        _ values: [DBusValue],
        over bus: DBusConnection,
        _ comment: Comment? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await bus.call(method(), values)
        #expect(answer == values, comment, sourceLocation: location)
    }

    /// Runs the service on a bus of its own, or one that answers otherwise, and a connection beside it.
    static func with<Result>(
        answer: @escaping @Sendable (FakeService.Call) -> FakeService.Answer = { .values($0.arguments) },
        _ body: (FakeService, DBusConnection) async throws -> Result
    ) async throws -> Result {
        try await PrivateBus.with { bus in
            try await FakeService.with(name, at: bus.address, answer: answer) { service in
                try await DBusConnection.withSystemBus(at: bus.address) { try await body(service, $0) }
            }
        }
    }
}

/// Returns the error of D-Bus that a function throws; nil if it throws none.
func failure<Result>(_ body: () async throws -> Result) async throws -> DBusError? {
    do {
        _ = try await body()
        return nil
    } catch let error as DBusError {
        return error
    }
}

import CDBus
import Foundation
import PeerTestSupport

@testable package import DBus

/// A service on a bus that answers as a test wants.
///
/// A thread of its own serves it.
package final class FakeService: @unchecked Sendable {
    /// A call that has arrived.
    package struct Call: Sendable {
        package var path: String
        package var interface: String
        package var member: String
        package var arguments: [DBusValue]
        /// The unique name of the caller.
        package var sender: String
    }

    /// A signal to send.
    package struct Signal: Sendable {
        var path: String
        var interface: String
        var member: String
        var arguments: [DBusValue]
        var destination: String?

        /// Describes a signal; with a destination it goes to one program, whether that has asked for it or not.
        package init(
            _ member: String,
            at path: String,
            in interface: String,
            _ arguments: [DBusValue] = [],
            to destination: String? = nil
        ) {
            (self.path, self.interface, self.member) = (path, interface, member)
            (self.arguments, self.destination) = (arguments, destination)
        }
    }

    /// An answer to a call.
    package enum Answer: Sendable {
        case values([DBusValue])
        /// Values, and signals after them.
        case valuesAndSignals([DBusValue], [Signal])
        case error(String, String)
        case nothing
        /// What a function writes into the answer with libdbus.
        case written(@Sendable (OpaquePointer) -> Void)
    }

    // libdbus locks the connection itself.
    private let connection: OpaquePointer
    private let answer: @Sendable (Call) -> Answer
    private let received = Locked<[Call]>([])
    private let isEnding = Locked(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// The calls so far.
    package var calls: [Call] { received.value }

    /// The unique name of the service on the bus.
    package var uniqueName: String { String(cString: dbus_bus_get_unique_name(connection)) }

    private init(name: String, at address: String, _ answer: @escaping @Sendable (Call) -> Answer) throws {
        guard let connection = dbus_connection_open_private(address, nil) else {
            throw ChildProcess.Failure(description: "no bus at \(address)")
        }
        dbus_connection_set_exit_on_disconnect(connection, 0)
        // 4: do not wait in a queue for the name; 1: it is ours.
        guard dbus_bus_register(connection, nil) != 0, dbus_bus_request_name(connection, name, 4, nil) == 1 else {
            throw ChildProcess.Failure(description: "the bus does not give the name \(name)")
        }
        self.connection = connection
        self.answer = answer
    }

    /// Puts a service on a bus, calls `body` and takes the service away.
    package static func with<Result>(
        _ name: String,
        at address: String,
        answer: @escaping @Sendable (Call) -> Answer,
        _ body: (FakeService) async throws -> Result
    ) async throws -> Result {
        let service = try FakeService(name: name, at: address, answer)
        Thread.detachNewThread { service.serve() }
        defer { service.end() }
        return try await body(service)
    }

    /// Sends a signal.
    package func emit(_ signal: Signal) {
        guard let pointer = dbus_message_new_signal(signal.path, signal.interface, signal.member) else { return }
        dbus_message_set_destination(pointer, signal.destination)
        send(pointer, signal.arguments)
    }

    /// Calls a method of another program, whose answer nobody reads.
    package func call(_ destination: String) {
        guard let pointer = dbus_message_new_method_call(destination, "/", "org.example.Any", "Any") else { return }
        send(pointer, [])
    }

    /// Takes the service off the bus.
    package func end() {
        let wasEnding = isEnding.withLock { isEnding in
            defer { isEnding = true }
            return isEnding
        }
        if !wasEnding { hasEnded.wait() }
    }

    private func serve() {
        while !isEnding.value, dbus_connection_read_write(connection, 10) != 0 {
            while let pointer = dbus_connection_pop_message(connection) { handle(MessageHandle(owning: pointer)) }
        }
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
        hasEnded.signal()
    }

    private func handle(_ message: MessageHandle) {
        let pointer = message.pointer
        guard dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return }
        var reader = MessageReader()
        let call = Call(
            path: String(cString: dbus_message_get_path(pointer)),
            interface: String(cString: dbus_message_get_interface(pointer)),
            member: String(cString: dbus_message_get_member(pointer)),
            arguments: (try? reader.arguments(of: pointer)) ?? [],
            sender: String(cString: dbus_message_get_sender(pointer))
        )
        received.withLock { $0.append(call) }
        switch answer(call) {
        case .values(let values): send(dbus_message_new_method_return(pointer), values)
        case .valuesAndSignals(let values, let signals):
            send(dbus_message_new_method_return(pointer), values)
            for signal in signals { emit(signal) }
        case .error(let name, let text): send(dbus_message_new_error(pointer, name, text), [])
        case .nothing: break
        case .written(let write):
            guard let reply = dbus_message_new_method_return(pointer) else { return }
            write(reply)
            send(reply, [])
        }
    }

    /// Sends a message and gives it up.
    private func send(_ pointer: OpaquePointer?, _ values: [DBusValue]) {
        guard let pointer else { return }
        let message = MessageHandle(owning: pointer)
        do {
            if !values.isEmpty { try MessageWriter.write(values, to: message) }
        } catch {
            fatalError("A test cannot send \(values): \(error)")
        }
        dbus_connection_send(connection, pointer, nil)
    }
}

import DBusTestSupport
import Foundation
import PeerTestSupport
import Testing

@testable import DBus

/// Calls and connections that end before their time.
@Suite(.timeLimit(.minutes(10))) struct EndsTests {
    @Test func cancellationEndsACallAtOnce() async throws {
        try await Echo.with(answer: Echo.alone) { service, bus in
            let task = Task { try await failure { try await bus.call(Echo.method("Slow"), within: .seconds(3600)) } }
            while service.calls.isEmpty { await Task.yield() }
            task.cancel()
            let error = try await task.value
            #expect(error?.code == .closed)
            try await Echo.expect([.byte(1)], over: bus)
        }
    }

    /// The message is sent nevertheless: a program that ends takes back what it has made.
    @Test func aCallOfACancelledTaskIsSentButNotWaitedFor() async throws {
        try await Echo.with(answer: Echo.alone) { service, bus in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await failure { try await bus.call(Echo.method("Slow"), within: .seconds(3600)) }
            }
            #expect(try await task.value?.code == .closed)
            _ = try await bus.call(Echo.method(), [.byte(1)])
            #expect(service.calls.map(\.member) == ["Slow", "Echo"])
        }
    }

    @Test func anUncancellableCallOfACancelledTaskGetsItsAnswer() async throws {
        try await Echo.with(answer: Echo.alone) { _, bus in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await bus.uncancellable.call(Echo.method(), [.byte(1)])
            }
            let answer = try await task.value
            #expect(answer == [.byte(1)])
        }
    }

    @Test func callsThatHaveEndedLeaveRoomForOthers() async throws {
        try await Echo.with(answer: Echo.alone) { service, bus in
            try await withThrowingTaskGroup { group in
                for _ in 0..<DBusLimits.pendingCalls {
                    group.addTask {
                        let slow = Echo.method("Slow")
                        let error = try await failure { try await bus.call(slow, within: .seconds(3600)) }
                        #expect(error?.code == .closed)
                    }
                }
                while service.calls.count < DBusLimits.pendingCalls { await Task.yield() }
                let error = try await failure { try await bus.call(Echo.method()) }
                #expect(error?.code == .refused)
                group.cancelAll()
                try await group.waitForAll()
            }
            try await Echo.expect([.byte(1)], over: bus)
        }
    }

    @Test func theEndOfTheScopeEndsEverything() async throws {
        try await PrivateBus.with { bus in
            try await FakeService.with(Echo.name, at: bus.address, answer: Echo.silent) { service in
                let kept = try await DBusConnection.withSystemBus(at: bus.address) { connection in
                    let task = Task { try await failure { try await connection.call(Echo.method()) } }
                    let signals = try await connection.signals(
                        DBusSignal.Filter(service: Echo.name, interface: Echo.interface)
                    )
                    while service.calls.isEmpty { await Task.yield() }
                    return (connection, task, signals)
                }
                #expect(try await kept.1.value?.code == .closed)
                for await signal in kept.2 { Issue.record("\(signal)") }
                #expect(try await failure { try await kept.0.call(Echo.method()) }?.code == .closed)
                let filter = DBusSignal.Filter(service: Echo.name, interface: Echo.interface)
                #expect(try await failure { try await kept.0.signals(filter) }?.code == .closed)
            }
        }
    }

    @Test func aBusThatEndsIsALostConnection() async throws {
        try await PrivateBus.with { bus in
            try await FakeService.with(Echo.name, at: bus.address, answer: Echo.silent) { service in
                try await DBusConnection.withSystemBus(at: bus.address) { connection in
                    let signals = try await connection.signals(
                        DBusSignal.Filter(service: Echo.name, interface: Echo.interface)
                    )
                    let task = Task { try await failure { try await connection.call(Echo.method()) } }
                    while service.calls.isEmpty { await Task.yield() }
                    await bus.stop()
                    #expect(try await task.value?.code == .connectionLost)
                    for await signal in signals { Issue.record("\(signal)") }
                }
            }
        }
    }

    @Test func aBusThatStandsStillTimesOut() async throws {
        try await PrivateBus.with { bus in
            try await DBusConnection.withSystemBus(at: bus.address) { connection in
                bus.pause()
                let error = try await failure { try await connection.call(Echo.method(), within: .milliseconds(50)) }
                #expect(error?.code == .timedOut)
            }
        }
    }

    /// Each connection has two sources of Dispatch with a descriptor each, besides that of libdbus.
    @Test func connectionsLeaveNoDescriptors() async throws {
        try await PrivateBus.with { bus in
            func connect() async throws {
                try await DBusConnection.withSystemBus(at: bus.address) { _ = try await $0.services() }
            }
            for _ in 0..<100 { try await connect() }
            // Dispatch closes them a little later. Other tests open descriptors, too, but none of this bus.
            let deadline = ContinuousClock.now + .patience
            while try Self.sockets(of: bus.path) > 0, ContinuousClock.now < deadline { await Task.yield() }
            #expect(try Self.sockets(of: bus.path) == 0)
        }
    }

    /// Counts the connections that the bus at a path has accepted and that are open. (proc_net_unix(5).)
    private static func sockets(of path: String) throws -> Int {
        let table = try String(contentsOfFile: "/proc/self/net/unix", encoding: .utf8)
        let connected = "03"
        return table.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count == 8 && fields[7] == path && fields[5] == connected
        }
    }
}

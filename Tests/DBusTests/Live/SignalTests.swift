import DBusTestSupport
import PeerTestSupport
import Testing

@testable import DBus

@Suite(.timeLimit(.minutes(10))) struct SignalTests {
    private static let last = FakeService.Signal("Last", at: Echo.path, in: Echo.interface)

    @Test func signalsArriveInOrder() async throws {
        try await Echo.with { service, bus in
            let signals = try await bus.signals(DBusSignal.Filter(service: Echo.name, interface: Echo.interface))
            for number in 0..<20 as Range<UInt32> {
                service.emit(.init("Changed", at: Echo.path, in: Echo.interface, [.uint32(number), .string("a")]))
            }
            service.emit(Self.last)
            let received = await Self.untilLast(signals)
            #expect(received.map { $0.arguments.first } == (0..<20).map { .uint32($0) })
            #expect(
                received.allSatisfy { $0.sender == service.uniqueName && $0.path == Echo.path && $0.name == "Changed" }
            )
        }
    }

    @Test func aFilterLetsNothingElseThrough() async throws {
        try await Echo.with { service, bus in
            let filter = DBusSignal.Filter(service: Echo.name, interface: Echo.interface, path: "/a", name: "Changed")
            let signals = try await bus.signals(filter)
            let all = try await bus.signals(DBusSignal.Filter(service: Echo.name, interface: Echo.interface))
            service.emit(.init("Other", at: "/a", in: Echo.interface))
            service.emit(.init("Changed", at: "/b", in: Echo.interface))
            service.emit(.init("Changed", at: "/a", in: "org.example.Other"))
            service.emit(.init("Changed", at: "/a", in: Echo.interface, [.byte(7)]))
            service.emit(Self.last)
            #expect(await Self.untilLast(all).count == 3)
            var iterator = signals.makeAsyncIterator()
            #expect(await iterator.next()?.arguments == [.byte(7)])
        }
    }

    /// A program can send a signal to this one directly, also under the name of another interface.
    @Test func signalsThatNobodyAskedForAreNotReported() async throws {
        try await PrivateBus.with { bus in
            let address = bus.address
            try await FakeService.with(Echo.name, at: address, answer: Echo.tellsCaller) { service in
                try await FakeService.with("org.example.Liar", at: address, answer: Echo.silent) { liar in
                    try await DBusConnection.withSystemBus(at: address) { connection in
                        let own = try #require(try await connection.call(Echo.method()).first?.text)
                        let signals = try await connection.signals(
                            DBusSignal.Filter(service: Echo.name, interface: Echo.interface, path: Echo.path)
                        )
                        liar.emit(.init("Changed", at: Echo.path, in: "org.example.Other", [.byte(1)], to: own))
                        liar.emit(.init("Changed", at: "/other", in: Echo.interface, [.byte(2)], to: own))
                        // Not asked for, as it comes from another service.
                        liar.emit(.init("Changed", at: Echo.path, in: Echo.interface, [.byte(3)]))
                        service.emit(Self.last)
                        #expect(await Self.untilLast(signals) == [])
                    }
                }
            }
        }
    }

    @Test func ofSignalsThatAreNotReadTheNewestAreKept() async throws {
        let count = UInt32(DBusLimits.unreadSignals * 3)
        try await Echo.with { service, bus in
            let signals = try await bus.signals(DBusSignal.Filter(service: Echo.name, interface: Echo.interface))
            for number in 0..<count {
                service.emit(.init("Changed", at: Echo.path, in: Echo.interface, [.uint32(number)]))
            }
            service.emit(Self.last)
            // Its answer comes after them.
            _ = try await bus.call(Echo.method())
            let received = await Self.untilLast(signals)
            let kept = count - UInt32(DBusLimits.unreadSignals) + 1
            #expect(received.compactMap { $0.arguments.first?.unsigned } == (kept..<count).map(UInt64.init))
        }
    }

    @Test func callsFromOtherProgramsAreRefused() async throws {
        try await Echo.with(answer: Echo.tellsCaller) { _, bus in
            let own = try #require(try await bus.call(Echo.method()).first?.text)
            // The connection calls itself.
            for name in ["Anything", "Introspect", "Ping"] {
                let method = DBusMethod(service: own, path: "/", interface: "org.freedesktop.DBus.Any", name: name)
                let error = try await failure { try await bus.call(method) }
                #expect(error?.name == "org.freedesktop.DBus.Error.UnknownMethod")
            }
        }
    }

    /// Returns the signals up to the one that says that it is the last.
    private static func untilLast(_ signals: AsyncStream<DBusSignal>) async -> [DBusSignal] {
        var received: [DBusSignal] = []
        for await signal in signals {
            if signal.name == "Last" { break }
            received.append(signal)
        }
        return received
    }
}

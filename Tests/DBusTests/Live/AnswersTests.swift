import DBusTestSupport
import PeerTestSupport
import Testing

@testable import DBus

/// Answers that are missing, or not what was asked for.
@Suite(.timeLimit(.minutes(10))) struct AnswersTests {
    @Test func aServiceThatDoesNotExistIsUnavailable() async throws {
        try await Echo.with { _, bus in
            let method = DBusMethod(service: "org.example.Nobody", path: "/", interface: "a.b", name: "C")
            let error = try await failure { try await bus.call(method) }
            #expect(error?.code == .serviceUnavailable)
            #expect(try await bus.services().isSuperset(of: [Echo.name, "org.freedesktop.DBus"]))
        }
    }

    @Test func aServiceThatDoesNotAnswerTimesOut() async throws {
        try await Echo.with(answer: Echo.alone) { _, bus in
            let error = try await failure { try await bus.call(Echo.method("Slow"), within: .milliseconds(50)) }
            #expect(error?.code == .timedOut)
            #expect(error?.message == "org.example.Echo did not answer in time (Slow).")
            try await Echo.expect([.byte(1)], over: bus)
        }
    }

    @Test(
        arguments: [
            ("org.freedesktop.DBus.Error.ServiceUnknown", .serviceUnavailable),
            ("org.freedesktop.DBus.Error.NameHasNoOwner", .serviceUnavailable),
            ("org.freedesktop.DBus.Error.AccessDenied", .accessDenied),
            ("org.freedesktop.DBus.Error.AuthFailed", .accessDenied),
            ("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", .accessDenied),
            ("org.freedesktop.DBus.Error.NoReply", .timedOut), ("org.freedesktop.DBus.Error.Timeout", .timedOut),
            ("org.freedesktop.DBus.Error.TimedOut", .timedOut), ("org.example.Error.Other", .refused),
        ] as [(String, DBusError.Code)]
    )
    func anErrorKeepsItsNameAndItsMessage(name: String, code: DBusError.Code) async throws {
        let text = String(repeating: "é", count: 600)
        let answer: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in .error(name, text) }
        try await Echo.with(answer: answer) { _, bus in
            let error = try await failure { try await bus.call(Echo.method()) }
            #expect(error == DBusError(code, String(text.prefix(500)), name: name))
        }
    }

    @Test func propertiesOfAnotherFormAreABadAnswer() async throws {
        let byNumber = DBusValue.dictionary([.init(key: .byte(1), value: .byte(1))], key: "y", value: "y")
        for values in [[], [.byte(1)], [.strings(["a"])], [byNumber]] as [[DBusValue]] {
            let answer: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in .values(values) }
            try await Echo.with(answer: answer) { _, bus in
                let all = try await failure {
                    try await bus.properties(of: Echo.name, at: Echo.path, in: Echo.interface)
                }
                #expect(all?.code == .badAnswer)
            }
        }
    }

    @Test func propertiesAreRead() async throws {
        let answer: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in .values([.settings(["A": .byte(7)])]) }
        try await Echo.with(answer: answer) { service, bus in
            let all = try await bus.properties(of: Echo.name, at: Echo.path, in: Echo.interface)
            #expect(all == ["A": .variant(.byte(7))])
            #expect(service.calls.map(\.arguments) == [[.string(Echo.interface)]])
            #expect(service.calls.allSatisfy { $0.interface == "org.freedesktop.DBus.Properties" })
        }
    }

    @Test func answersThatAreTooLargeForTheProgramAreRefused() async throws {
        let answer: @Sendable (FakeService.Call) -> FakeService.Answer = { call in
            switch call.member {
            case "Deep": .written { OversizedAnswer.writeNested(40, $0) }
            case "Deepest": .written { OversizedAnswer.writeNested(62, $0) }
            case "Many": .written { OversizedAnswer.writeNumbers(DBusLimits.valueCount, $0) }
            default: .values(call.arguments)
            }
        }
        try await Echo.with(answer: answer) { _, bus in
            for name in ["Deep", "Deepest", "Many"] {
                let error = try await failure { try await bus.call(Echo.method(name)) }
                #expect(error == DBusError(.badAnswer, "An answer is too large."), "\(name)")
            }
            try await Echo.expect([.byte(1)], over: bus)
        }
    }

    /// libdbus does not read on then, so this is the end of the connection.
    @Test func aMessageBeyondTheLimitEndsTheConnection() async throws {
        let answer: @Sendable (FakeService.Call) -> FakeService.Answer = { _ in
            .written { OversizedAnswer.writeNumbers(DBusLimits.messageLength / 4, $0) }
        }
        try await Echo.with(answer: answer) { _, bus in
            let error = try await failure { try await bus.call(Echo.method()) }
            #expect(error?.code == .connectionLost)
            let next = try await failure { try await bus.call(Echo.method()) }
            #expect(next?.code == .closed || next?.code == .connectionLost)
        }
    }
}

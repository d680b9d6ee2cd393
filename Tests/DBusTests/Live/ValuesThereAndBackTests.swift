import DBusTestSupport
import PeerTestSupport
import Testing

@testable import DBus

/// Values that go to a service and back over a real bus.
@Suite(.timeLimit(.minutes(10))) struct ValuesThereAndBackTests {
    @Test func everyTypeArrivesAsItWasSent() async throws {
        let values: [DBusValue] = [
            .byte(0), .byte(255), .boolean(true), .boolean(false), .int16(.min), .int16(.max), .uint16(.max),
            .int32(.min), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max), .double(-0.5), .double(.infinity),
            .string(""), .string("Zürich → Ötzi \u{1F3D4}\n"), .objectPath("/"), .objectPath("/a/b_1"), .signature(""),
            .signature("a{sv}"), .bytes([]), .bytes([0, 255, 0]), .strings([]), .strings(["", "b"]),
            .structure([.byte(1), .structure([.string("a")])]), .settings([:]),
            .settings(["a": .variant(.strings(["b"])), "b": .settings(["c": .bytes([1])])]),
            .dictionary([], key: "u", value: "(ya{sv})"),
            .dictionary([.init(key: .uint32(7), value: .strings(["x"]))], key: "u", value: "as"),
            .array([.settings([:]), .settings(["a": .byte(1)])], of: "a{sv}"), .array([], of: "a(ss)"),
            .array([.bytes([1]), .bytes([])], of: "ay"),
            .variant(.variant(.variant(.structure([.boolean(true)])))),
        ]
        try await Echo.with { service, bus in
            for value in values { try await Echo.expect([value], over: bus) }
            try await Echo.expect(values, over: bus)
            try await Echo.expect([], over: bus)
            #expect(service.calls.count == values.count + 2)
        }
    }

    @Test func largeValuesWithinTheLimitsArrive() async throws {
        let text = String(repeating: "ä", count: DBusLimits.textLength / 2)
        let deep: DBusValue = (0..<DBusLimits.depth - 1).reduce(.byte(1)) { value, _ in .variant(value) }
        let values: [DBusValue] = [
            .string(text), .strings(Array(repeating: text, count: 3)), .strings((0..<20_000).map(String.init)), deep,
        ]
        try await Echo.with { _, bus in
            for value in values { try await Echo.expect([value], over: bus) }
        }
    }

    @Test func randomValuesArriveAsTheyWereSent() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        try await Echo.with { _, bus in
            for _ in 0..<300 {
                var maker = RandomValues(generator: generator)
                let values = (0..<maker.number(4)).map { _ in maker.value() }
                generator = maker.generator
                guard values.map(\.typeSignature).joined().utf8.count <= 255 else { continue }
                try await Echo.expect(values, over: bus, "seed \(seed)")
            }
        }
    }

    @Test func manyCallsAtOnceGetTheirOwnAnswers() async throws {
        try await Echo.with { _, bus in
            try await withThrowingTaskGroup { group in
                for number in 0..<500 as Range<UInt32> {
                    group.addTask {
                        try await Echo.expect([.uint32(number)], over: bus)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// Makes values of random types.
private struct RandomValues {
    var generator: SeededGenerator

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func value() -> DBusValue { value(of: type(depth: 0)) }

    private mutating func type(depth: Int) -> String {
        let basic = Array("ybnqiuxtdsog").map(String.init)
        switch number(depth < 3 ? 6 : 2) {
        case 2: return "v"
        case 3: return "a" + type(depth: depth + 1)
        case 4: return "(" + (0...number(3)).map { _ in type(depth: depth + 1) }.joined() + ")"
        case 5: return "a{" + basic[number(basic.count)] + type(depth: depth + 1) + "}"
        default: return basic[number(basic.count)]
        }
    }

    private mutating func value(of type: String) -> DBusValue {
        switch type.first {
        case "y": return .byte(UInt8(truncatingIfNeeded: generator.next()))
        case "b": return .boolean(number(2) == 1)
        case "n": return .int16(Int16(truncatingIfNeeded: generator.next()))
        case "q": return .uint16(UInt16(truncatingIfNeeded: generator.next()))
        case "i": return .int32(Int32(truncatingIfNeeded: generator.next()))
        case "u": return .uint32(UInt32(truncatingIfNeeded: generator.next()))
        case "x": return .int64(Int64(bitPattern: generator.next()))
        case "t": return .uint64(generator.next())
        case "d": return .double(Double(Int32(truncatingIfNeeded: generator.next())) / 8)
        case "s": return .string(String(decoding: generator.bytes(number(20)).map { $0 == 0 ? 1 : $0 }, as: UTF8.self))
        case "o": return .objectPath("/a" + String(number(1000)))
        case "g": return .signature(self.type(depth: 2))
        case "v": return .variant(value(of: self.type(depth: 2)))
        case "a" where type == "ay": return .bytes(generator.bytes(number(20)))
        case "a" where type.hasPrefix("a{"):
            let (key, element) = (String(type.dropFirst(2).prefix(1)), String(type.dropFirst(3).dropLast()))
            let entries = (0..<number(4)).map { _ in
                DBusValue.Entry(key: value(of: key), value: value(of: element))
            }
            return .dictionary(entries, key: key, value: element)
        case "a":
            let element = String(type.dropFirst())
            return .array((0..<number(4)).map { _ in value(of: element) }, of: element)
        default:
            return .structure(Self.parts(of: type).map { value(of: $0) })
        }
    }

    /// The types of the fields of a structure.
    private static func parts(of type: String) -> [String] {
        var (parts, current, depth): ([String], String, Int) = ([], "", 0)
        for letter in type.dropFirst().dropLast() {
            current.append(letter)
            if "({".contains(letter) { depth += 1 }
            if ")}".contains(letter) { depth -= 1 }
            guard depth == 0, letter != "a" else { continue }
            parts.append(current)
            current = ""
        }
        return parts
    }
}

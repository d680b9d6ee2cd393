import Testing

@testable import DBus

@Suite struct DBusValueTests {
    @Test func knowsItsSignature() {
        let all: [(DBusValue, String)] = [
            (.byte(1), "y"), (.boolean(true), "b"), (.int16(1), "n"), (.uint16(1), "q"), (.int32(1), "i"),
            (.uint32(1), "u"), (.int64(1), "x"), (.uint64(1), "t"), (.double(1), "d"), (.string("a"), "s"),
            (.objectPath("/"), "o"), (.signature("s"), "g"), (.bytes([1]), "ay"), (.strings([]), "as"),
            (.structure([.byte(1), .strings([])]), "(yas)"), (.settings(["a": .byte(1)]), "a{sv}"),
            (.dictionary([], key: "u", value: "ao"), "a{uao}"), (.variant(.byte(1)), "v"),
        ]
        for (value, signature) in all { #expect(value.typeSignature == signature) }
    }

    @Test func isReadAsSwiftTypes() {
        #expect(DBusValue.variant(.variant(.string("a"))).text == "a")
        #expect(DBusValue.objectPath("/a").text == "/a" && DBusValue.signature("s").text == "s")
        #expect(DBusValue.variant(.boolean(false)).flag == false)
        for value: DBusValue in [.byte(7), .uint16(7), .uint32(7), .uint64(7), .variant(.uint32(7))] {
            #expect(value.unsigned == 7)
        }
        #expect(DBusValue.strings(["a"]).elements == [.string("a")])
        #expect(DBusValue.structure([.byte(1)]).elements == [.byte(1)])
        #expect(DBusValue.variant(.bytes([1, 2])).data == [1, 2])
        let settings = DBusValue.settings(["b": .byte(2), "a": .byte(1)])
        #expect(settings.members == ["a": .variant(.byte(1)), "b": .variant(.byte(2))])
    }

    @Test func isNothingOfAnotherType() {
        let number = DBusValue.int32(-1)
        #expect(number.text == nil && number.flag == nil && number.unsigned == nil && number.data == nil)
        #expect(number.elements == nil && number.members == nil)
        #expect(DBusValue.bytes([1]).elements == nil && DBusValue.strings([]).data == nil)
        #expect(DBusValue.double(1).unsigned == nil && DBusValue.uint32(1).flag == nil)
        let byNumber = DBusValue.dictionary([.init(key: .uint32(1), value: .byte(1))], key: "u", value: "y")
        #expect(byNumber.members == nil)
    }

    @Test func ofEntriesWithTheSameKeyTheLastCounts() {
        let entries = [1, 2].map { DBusValue.Entry(key: .string("a"), value: .byte($0)) }
        #expect(DBusValue.dictionary(entries, key: "s", value: "y").members == ["a": .byte(2)])
    }

    /// Each of these would end the process, or the connection to the bus.
    @Test(arguments: Self.invalid) func refusesWhatCannotBeSent(number: Int) throws {
        let message = try MessageHandle(calling: Echo.method())
        let error = #expect(throws: DBusError.self) {
            try MessageWriter.write(Self.invalidArguments[number], to: message)
        }
        #expect(error?.code == .invalidArgument)
    }

    private static let invalid = Array(invalidArguments.indices)

    private static let invalidArguments: [[DBusValue]] = [
        [.string("a\0b")], [.objectPath("")], [.objectPath("a")], [.objectPath("/a/")], [.objectPath("/\0")],
        [.signature("z")], [.signature("a")], [.structure([])],
        [.string(String(repeating: "x", count: DBusLimits.textLength + 1))],
        [.bytes(Array(repeating: 0, count: DBusLimits.messageLength + 1))],
        // An element or an entry of another type than its array.
        [.array([.byte(1)], of: "s")], [.array([.string("a"), .byte(1)], of: "s")], [.array([], of: "")],
        [.array([], of: "ss")], [.array([], of: "{sv}")], [.array([], of: "z")], [.array([], of: "s\0")],
        [.dictionary([], key: "v", value: "s")], [.dictionary([], key: "s", value: "")],
        [.dictionary([], key: "sv}a{s", value: "v")],
        [.dictionary([.init(key: .byte(1), value: .byte(1))], key: "s", value: "y")],
        [.dictionary([.init(key: .string("a"), value: .byte(1))], key: "s", value: "s")],
        // A bad value far inside.
        [.variant(.structure([.array([.variant(.string("\0"))], of: "v")]))],
        [.settings(["\0": .byte(1)])],
        // Too deep.
        [nested(DBusLimits.depth) { .variant($0) }], [nested(100) { .structure([$0]) }],
        // 33 arrays in one another, though each is a valid element.
        [.array([], of: String(repeating: "a", count: 32) + "s")],
        // Signatures of more than 255 letters.
        Array(repeating: .byte(1), count: 256),
        [.variant(.structure(Array(repeating: .byte(1), count: 300)))],
        [.structure(Array(repeating: .byte(1), count: 254))],
    ]

    private static func nested(_ depth: Int, _ wrap: (DBusValue) -> DBusValue) -> DBusValue {
        (0..<depth).reduce(.byte(1)) { value, _ in wrap(value) }
    }
}

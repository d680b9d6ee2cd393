import Testing

@testable import Avahi

@Suite struct InstanceNameTests {
    @Test(arguments: ["a", "Anna's Gerät 🏔", String(repeating: "x", count: 63)])
    func acceptsName(_ text: String) throws {
        #expect(try InstanceName(text).description == text)
        #expect(InstanceName(fitting: text)?.description == text)
    }

    @Test(arguments: ["", String(repeating: "x", count: 64), "a\0b", "a\nb", "a\u{7F}", "a\u{85}b"])
    func rejectsName(_ text: String) {
        #expect(throws: AvahiError.self) { try InstanceName(text) }
    }

    @Test func cutsAtCharacter() {
        let family = "👨‍👩‍👧‍👦"
        #expect(family.utf8.count == 25)
        #expect(InstanceName(fitting: String(repeating: family, count: 3))?.description == family + family)
        #expect(
            InstanceName(fitting: String(repeating: "é", count: 40))?.description == String(repeating: "é", count: 31)
        )
        #expect(
            InstanceName(fitting: String(repeating: "x", count: 62) + "é")?.description
                == String(repeating: "x", count: 62)
        )
    }

    @Test func cutsInsideCharacterThatIsTooLongByItself() throws {
        let piled = "e" + String(repeating: "\u{301}", count: 100)
        let name = try #require(InstanceName(fitting: piled))
        #expect(name.description.utf8.count == 63)
    }

    @Test func dropsControlCharacters() {
        #expect(InstanceName(fitting: "a\0b\r\nc\u{1B}[31m")?.description == "abc[31m")
        #expect(InstanceName(fitting: "\0\n") == nil)
        #expect(InstanceName(fitting: "") == nil)
    }

    @Test(arguments: [0, 1, 3, 4, 5])
    func neverExceedsLimit(_ limit: Int) {
        #expect("🏔é🏔".cut(toUTF8Length: limit).utf8.count <= limit)
    }
}

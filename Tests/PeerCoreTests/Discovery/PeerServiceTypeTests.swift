import PeerCore
import Testing

@Suite struct PeerServiceTypeTests {
    @Test(arguments: ["a", "hikeshare", "a1", "x-y-z", "abcdefghijklmno"]) func takesNames(name: String) {
        #expect(PeerServiceType(name)?.description == "_\(name)._tcp")
    }

    @Test(arguments: [
        "", "1a", "-a", "a-", "a--b", "A", "a_b", "a b", "a.b", "ä", "abcdefghijklmnop", "a\u{0}", "_hikeshare._tcp",
    ])
    func refusesWhatIsNoName(name: String) {
        #expect(PeerServiceType(name) == nil)
    }

    @Test(arguments: [
        ("", "must not be empty"), ("abcdefghijklmnop", "longer than 15"), ("1a", "begin with a letter"),
        ("-a", "begin with a letter"), ("a-", "end with -"), ("a--b", "two - in a row"), ("A", "only the characters"),
        ("ä", "only the characters"), ("a\u{0}", "only the characters"),
    ])
    func saysWhichRuleANameBreaks(name: String, words: String) {
        let error = #expect(throws: PeerError.self) { try PeerServiceType(validating: name) }
        #expect(error?.code == .invalidArgument && error?.remedy != nil)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }

    @Test(arguments: [0, -1, 65_536, .max]) func saysThatAPortIsNone(port: Int) throws {
        let error = #expect(throws: PeerError.self) { try PeerServiceType(validating: "notes", defaultPort: port) }
        #expect(error?.message == "\(port) is not a port.")
        #expect(PeerServiceType("notes", defaultPort: port) == nil)
        #expect(try PeerServiceType(validating: "notes", defaultPort: 65_535).defaultPort == 65_535)
    }
}

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
}

import Avahi
import Testing

@testable import PeerCore

@Suite struct DiscoveryRulesTests {
    private static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

    private static func keys(_ count: Int) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", "") })
    }

    @Test(
        arguments: [
            [:], ["a": ""], [text(32): "x"], keys(16), ["a b~": "größe\n"], ["a": text(253)], ["ID2": "x"],
            // 700 bytes: three pairs with two bytes each.
            ["a": text(253), "b": text(253), "c": text(185)],
        ] as [[String: String]]
    )
    func takes(info: [String: String]) throws {
        try DiscoveryRules.check(info)
        #expect(DiscoveryInfo(try DiscoveryInfo(custom: info).txtRecord()).custom == info)
    }

    @Test(
        arguments: [
            ("empty", ["": "x"]), ("too long (33 bytes)", [text(33): "x"]), ("cannot be a key", ["a=b": "x"]),
            ("cannot be a key", ["é": "x"]), ("cannot be a key", ["a\n": "x"]), ("cannot be a key", ["\u{7F}": "x"]),
            ("17 keys", keys(17)), ("twice", ["key": "1", "Key": "2"]), ("too long (254 bytes)", ["a": text(254)]),
            ("too long (701 bytes)", ["a": text(253), "b": text(253), "c": text(186)]), ("reserved", ["v": "1"]),
            ("reserved", ["ID": "1"]), ("reserved", ["shortname": "1"]), ("reserved", ["prettyName": "1"]),
            ("reserved", ["appVersion": "1"]), ("reserved", ["encryption": "1"]), ("reserved", ["region": "1"]),
            ("reserved", ["Size": "1"]),
        ] as [(String, [String: String])]
    )
    func refuses(words: String, info: [String: String]) {
        let error = #expect(throws: PeerError.self) { try DiscoveryRules.check(info) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(error?.remedy != nil)
    }

    @Test func whatBreaksARuleIsNotRead() throws {
        var txt = try TXTRecord(["v": "1", "SIZE": "12", Self.text(33): "long", "group": "Abc"])
        try txt.set("flag", to: nil as [UInt8]?)
        try txt.set("bytes", to: [0xFF])
        let info = DiscoveryInfo(txt)
        #expect(info.custom == ["group": "Abc"])
        #expect(info.size == 12)
    }

    @Test func onlyTheFirstKeysAreRead() throws {
        var txt = TXTRecord()
        for number in 0..<20 { try txt.set("key\(number)", to: "x") }
        #expect(Set(DiscoveryInfo(txt).custom.keys) == Set((0..<16).map { "key\($0)" }))
    }

    @Test func noMoreBytesAreReadThanAllowed() throws {
        var txt = TXTRecord()
        for key in ["a", "b", "c", "d"] { try txt.set(key, to: Self.text(253)) }
        try txt.set("e", to: Self.text(185))
        #expect(Set(DiscoveryInfo(txt).custom.keys) == ["a", "b", "e"])
    }
}

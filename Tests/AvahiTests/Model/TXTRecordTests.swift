import CAvahi
import PeerTestSupport
import Testing

@testable import Avahi

@Suite struct TXTRecordTests {
    @Test(arguments: [(252, true), (253, true), (254, false)])
    func boundsPairAt255Bytes(valueLength: Int, isAccepted: Bool) {
        // "k=" takes two bytes, so these are pairs of 254, 255 and 256 bytes.
        var record = TXTRecord()
        let value = [UInt8](repeating: 7, count: valueLength)
        if isAccepted {
            #expect(throws: Never.self) { try record.set("k", to: value) }
            #expect(record.bytes(forKey: "k") == value)
        } else {
            #expect(throws: AvahiError.self) { try record.set("k", to: value) }
            #expect(record.entries.isEmpty)
        }
    }

    @Test func boundsKeyWithoutValueAt255Bytes() {
        var record = TXTRecord()
        #expect(throws: Never.self) { try record.set(String(repeating: "k", count: 255), to: [UInt8]?.none) }
        #expect(throws: AvahiError.self) { try record.set(String(repeating: "j", count: 256), to: [UInt8]?.none) }
    }

    @Test func boundsWholeRecord() throws {
        var record = TXTRecord()
        for key in ["a", "b", "c", "d", "e"] { try record.set(key, to: [UInt8](repeating: 1, count: 253)) }
        #expect(record.encodedLength == 1280)
        #expect(throws: AvahiError.self) { try record.set("f", to: [UInt8](repeating: 1, count: 18)) }
        #expect(record.encodedLength == 1280)
        try record.set("f", to: [UInt8](repeating: 1, count: 17))
        #expect(record.encodedLength == TXTRecord.maximumLength)
    }

    @Test(arguments: ["", "a=b", "=", "ä", "a\0", "a\n", "\u{7F}"])
    func rejectsKey(_ key: String) {
        var record = TXTRecord()
        #expect(throws: AvahiError.self) { try record.set(key, to: "x") }
    }

    @Test func tellsEmptyValueFromNone() throws {
        var record = TXTRecord()
        try record.set("empty", to: "")
        try record.set("none", to: [UInt8]?.none)
        #expect(record["empty"]?.isEmpty == true)
        #expect(record["none"] == nil)
        #expect(record.entries.contains { $0.key == "none" })
        #expect(!record.entries.contains { $0.key == "other" })
        #expect(TXTRecord(received: ["empty=", "none"].map { Array($0.utf8) }) == record)
    }

    @Test func findsKeysWithoutRegardToCase() throws {
        var record = try TXTRecord(["Name": "a", "other": "b"])
        #expect(record["nAME"] == "a")
        try record.set("NAME", to: "c")
        #expect(record.entries.map(\.key) == ["NAME", "other"])
        record.remove("name")
        #expect(record.entries.map(\.key) == ["other"])
    }

    @Test func firstOfEqualKeysCounts() {
        let record = TXTRecord(received: ["a=1", "A=2", "a", "b=3"].map { Array($0.utf8) })
        #expect(record["a"] == "1")
        #expect(record.entries.map(\.key) == ["a", "b"])
    }

    @Test func keepsBytesThatAreNotText() throws {
        let bytes: [UInt8] = [0xFF, 0x00, 0xC3, 0x3D]
        let record = TXTRecord(received: [Array("raw=".utf8) + bytes])
        #expect(record.bytes(forKey: "raw") == bytes)
        #expect(record["raw"] == nil)
    }

    @Test(arguments: [[], [0x3D], [0x3D, 0x61], [0xFF, 0x3D, 0x61], [0x00], Array("ä=1".utf8)] as [[UInt8]])
    func leavesOutReceivedStringWithoutProperKey(_ string: [UInt8]) {
        #expect(TXTRecord(received: [string, Array("a=1".utf8)]).entries.map(\.key) == ["a"])
    }

    @Test func leavesOutReceivedPairThatIsTooLong() {
        let long = Array("long=".utf8) + [UInt8](repeating: 0x61, count: 251)
        #expect(TXTRecord(received: [long, Array("a=1".utf8)]).entries.map(\.key) == ["a"])
    }

    @Test func keepsBoundedPartOfEndlessRecord() {
        let record = TXTRecord(received: (0..<10_000).lazy.map { Array("key\($0)=value".utf8) })
        #expect(record.entries.count > 100)
        #expect(record.encodedLength <= TXTRecord.maximumReceivedLength)
    }

    @Test func cutsValueAtCharacter() throws {
        let value = TXTRecord.fitting(String(repeating: "🏔", count: 100), forKey: "name")
        #expect(value.utf8.count == 248)
        var record = TXTRecord()
        try record.set("name", to: value)
        #expect(record["name"] == String(repeating: "🏔", count: 62))
        #expect(TXTRecord.fitting("short", forKey: "name") == "short")
        #expect(TXTRecord.fitting("any", forKey: String(repeating: "k", count: 300)).isEmpty)
    }

    @Test func goesOntoTheWireInOrder() throws {
        var record = try TXTRecord(["z": "1", "a": "", "m": "\0="])
        try record.set("none", to: [UInt8]?.none)
        let wire = record.withStringList { list in
            var bytes = [UInt8](repeating: 0, count: avahi_string_list_serialize(list, nil, 0))
            let count = avahi_string_list_serialize(list, &bytes, bytes.count)
            return Array(bytes[..<count])
        }
        #expect(
            wire == [3] + Array("z=1".utf8) + [2] + Array("a=".utf8) + [4] + Array("m=\0=".utf8) + [4]
                + Array("none".utf8)
        )
        #expect(wire.count == record.encodedLength)
    }

    @Test func readsListInItsOrder() throws {
        let list = (["none", "A=3", "=bad", "a=1", "b=2"] as [String]).reduce(
            UnsafeMutablePointer<AvahiStringList>?.none
        ) {
            avahi_string_list_add($0, $1)
        }
        defer { avahi_string_list_free(list) }
        let record = TXTRecord(copying: list)
        #expect(record.entries.map(\.key) == ["b", "a", "none"])
        #expect(record["a"] == "1")
        #expect(TXTRecord(copying: nil) == TXTRecord())
    }

    @Test(arguments: UInt64(0)..<100)
    func readsAnyBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let strings = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            generator.bytes(Int.random(in: 0...300, using: &generator))
        }
        for entry in TXTRecord(received: strings).entries {
            #expect(!entry.key.isEmpty && !entry.key.contains("=") && entry.length <= 255, "\(strings)")
        }
    }

    @Test func escapesWhatIsNotPlainText() throws {
        #expect(try TXTRecord(["a": "x\u{1B}\n"]).description == #"a="x\u{1B}\n""#)
    }
}

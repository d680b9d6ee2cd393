import Avahi
import PeerCore

/// A TXT record as the daemon hands it over: strings, each behind a byte with its length.
enum AnnouncementBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        var strings: [[UInt8]] = []
        var rest = input[...]
        while let length = rest.popFirst() {
            strings.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        let record = TXTRecord(received: strings)
        try require(record.encodedLength <= TXTRecord.maximumReceivedLength, "more is kept than allowed")
        for entry in record.entries {
            try require(entry.key.utf8.count + (entry.value?.count ?? 0) <= 255, "a pair is too long")
            try require(entry.key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x3D }, "a key is wrong")
        }
        let first = try written(DiscoveryInfo(record))
        try requireSuccess("the keys of an application that were read break a rule") {
            try DiscoveryRules.check(first.custom)
        }
        let second = try written(first)
        try require(first == second, "an info changes when it is written and read twice")
    }

    private static func written(_ info: DiscoveryInfo) throws(BrokenInvariant) -> DiscoveryInfo {
        let record = try requireSuccess("an info that was read cannot be announced") { try info.txtRecord() }
        try require(record.encodedLength <= TXTRecord.maximumLength, "an announcement is too long")
        return DiscoveryInfo(record)
    }
}

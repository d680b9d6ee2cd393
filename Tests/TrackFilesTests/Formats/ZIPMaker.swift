import Foundation
import PeerProtocol

/// Makes ZIP files, also wrong ones.
struct ZIPMaker {
    struct Entry {
        var name: String
        var content: [UInt8]
        var isDeflated = true
        var flags: UInt16 = 0
        var method: UInt16?
        var size: UInt32?
        var checksum: UInt32?
    }

    private(set) var bytes: [UInt8] = []
    private var list: [UInt8] = []
    private var count: UInt16 = 0

    static func file(_ entries: [Entry], comment: String = "") -> Data {
        var maker = ZIPMaker()
        for entry in entries { maker.add(entry) }
        return maker.finished(comment)
    }

    mutating func add(_ entry: Entry) {
        let content = entry.isDeflated ? Deflate.compress(entry.content, as: .raw, level: 6) ?? [] : entry.content
        let offset = UInt32(bytes.count)
        var common = number(20, 2) + number(UInt64(entry.flags), 2)
        common += number(UInt64(entry.method ?? (entry.isDeflated ? 8 : 0)), 2) + number(0, 4)
        common += number(UInt64(entry.checksum ?? ZIPForm.checksum(entry.content)), 4)
        common += number(UInt64(content.count), 4) + number(UInt64(entry.size ?? UInt32(entry.content.count)), 4)
        common += number(UInt64(entry.name.utf8.count), 2) + number(0, 2)
        bytes += number(UInt64(ZIPForm.entry), 4) + common + Array(entry.name.utf8) + content
        list += number(UInt64(ZIPForm.listed), 4) + number(20, 2) + common + number(0, 10) + number(UInt64(offset), 4)
        list += Array(entry.name.utf8)
        count += 1
    }

    func finished(_ comment: String = "") -> Data {
        var end = number(UInt64(ZIPForm.end), 4) + number(0, 4) + number(UInt64(count), 2) + number(UInt64(count), 2)
        end += number(UInt64(list.count), 4) + number(UInt64(bytes.count), 4)
        end += number(UInt64(comment.utf8.count), 2) + Array(comment.utf8)
        return Data(bytes + list + end)
    }

    private func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(min($0, 7)))) }
    }
}

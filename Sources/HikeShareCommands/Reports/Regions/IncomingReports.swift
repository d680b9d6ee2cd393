import FoundationEssentials
import PeerCore
import RegionStore

/// The partially received files, one for each line.
struct IncomingListReport: Report {
    var files: [IncomingFile]

    /// Returns the name of a region as the list shows it.
    static func shownName(_ name: String) -> DisplayText {
        DisplayText(escaping: name)
    }

    var payloads: [any Encodable & Sendable] { files.map { IncomingFilePayload("incoming", $0) } }

    var text: DisplayText {
        guard !files.isEmpty else { return "" }
        let header: [DisplayText] = ["NAME", "ID", "WHAT", "HERE", "OF", "LAST ARRIVAL"]
        let rows = files.map { file -> [DisplayText] in
            [
                Self.shownName(file.regionName),
                "\(file.shortRegionID)",
                "\(file.kind.words)",
                "\(Wording.size(file.byteCount))",
                "\(Wording.size(file.size))",
                file.isArriving ? "now" : "\(Wording.time(file.lastArrival))",
            ]
        }
        return Table.render([header] + rows, trailing: [3, 4])
    }
}

/// The partially received files that are kept for the next attempt.
struct KeptReport: Report {
    var files: [IncomingFile]

    var payloads: [any Encodable & Sendable] { files.map { IncomingFilePayload("kept", $0) } }

    var text: DisplayText {
        let parts: [DisplayText] = files.map {
            "\($0.kind.words), \(Wording.size($0.byteCount)) of \(Wording.size($0.size))"
        }
        return
            "The received part is kept (\(parts.joined(separator: "; "))).\nTo resume:  \("hikeshare receive", .command)"
    }
}

/// A partially received file that was removed.
struct DiscardReport: Report {
    var file: IncomingFile

    var payloads: [any Encodable & Sendable] { [IncomingFilePayload("discarded", file)] }

    var text: DisplayText {
        "Discarded \(file.regionName), \(file.kind.words): \(Wording.size(file.byteCount)) of \(Wording.size(file.size))"
    }
}

/// An unfinished file in JSON.
private struct IncomingFilePayload: Encodable {
    var type: String
    var regionID: String
    var regionName: String
    var kind: String
    var digest: String
    var bytes: UInt64
    var size: UInt64
    var lastArrival: Date
    var isArriving: Bool

    init(_ type: String, _ file: IncomingFile) {
        self.type = type
        self.regionID = file.regionID.uuidString
        self.regionName = file.regionName
        self.kind = file.kind.rawValue
        self.digest = file.digest.hex
        self.bytes = file.byteCount
        self.size = file.size
        self.lastArrival = file.lastArrival
        self.isArriving = file.isArriving
    }
}

extension IncomingFile {
    /// The start of the region's id, as lists show it.
    var shortRegionID: String { String(regionID.uuidString.prefix(8)) }
}

import FoundationEssentials
import PeerCore
package import RegionSharing
package import RegionStore

/// The partially received files, one for each line.
package struct IncomingListReport: Report {
    package var files: [IncomingFile]

    /// Creates the value.
    package init(files: [IncomingFile]) {
        self.files = files
    }

    package var payloads: [JSONObject] { files.map { $0.json("incoming") } }

    package var text: DisplayText {
        guard !files.isEmpty else { return "" }
        let header: [DisplayText] = ["NAME", "ID", "WHAT", "HERE", "OF", "LAST ARRIVAL"]
        let rows = files.map { file -> [DisplayText] in
            [
                DisplayText(escaping: file.regionName),
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

extension KeptFiles: Report {
    package var payloads: [JSONObject] { files.map { $0.json("kept") } }

    package var text: DisplayText { "\(words)\nTo resume:  \("hikeshare receive", .command)" }

    /// How much is kept.
    package var words: DisplayText {
        let parts: [DisplayText] = files.map {
            "\($0.kind.words), \(Wording.size($0.byteCount)) of \(Wording.size($0.size))"
        }
        return "The received part is kept (\(parts.joined(separator: "; ")))."
    }
}

/// A partially received file that was removed.
package struct DiscardReport: Report {
    package var file: IncomingFile

    /// Creates the value.
    package init(file: IncomingFile) {
        self.file = file
    }

    package var payloads: [JSONObject] { [file.json("discarded")] }

    package var text: DisplayText {
        "Discarded \(file.regionName), \(file.kind.words): \(Wording.size(file.byteCount)) of \(Wording.size(file.size))"
    }
}

extension IncomingFile {
    /// The unfinished file in JSON.
    fileprivate func json(_ type: String) -> JSONObject {
        [
            "type": type,
            "regionID": regionID.uuidString,
            "regionName": regionName,
            "kind": kind.rawValue,
            "digest": digest.hex,
            "bytes": byteCount,
            "size": size,
            "lastArrival": lastArrival,
            "isArriving": isArriving,
        ]
    }
}

extension IncomingFile {
    /// The start of the region's id, as lists show it.
    package var shortRegionID: String { String(regionID.uuidString.prefix(8)) }
}

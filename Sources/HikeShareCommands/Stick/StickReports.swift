import FoundationEssentials
import PeerCore
import RegionStore

/// A region that was written to a stick.
struct StickWrittenReport: Report {
    var path: String
    /// The size of the file in bytes; nil if it is not known.
    var size: UInt64?
    var regionID: UUID
    var regionName: String
    /// The request for which it is sealed; nil if it is for anyone.
    var recipient: StickRequest?
    /// Who has written the request, as this machine knows the key; nil if it is for anyone.
    var recipientTitle: DisplayText?
    /// The secret with which anyone can open it; nil if it is for one machine.
    var secret: StickSecret?

    var payloads: [JSONObject] {
        [
            [
                "type": "stickWritten",
                "file": path,
                "size": size,
                "regionID": regionID.uuidString,
                "regionName": regionName,
                "recipient": recipient?.signer.hex,
                "link": secret?.text,
            ]
        ]
    }

    var text: DisplayText {
        let length: DisplayText = size.map { ", \(Wording.size($0))" } ?? ""
        let who: DisplayText = recipientTitle.map { " for \($0)" } ?? ""
        let written: DisplayText = "Wrote \(DisplayText(quoting: regionName))\(who): \(path)\(length)"
        return secret.map { "\(written)\n\($0.text)" } ?? written
    }
}

/// A request that was written to a stick.
struct StickRequestReport: Report {
    var path: String
    var folder: String
    var request: StickRequest

    var payloads: [JSONObject] {
        [["type": "stickRequest", "file": path, "id": request.signer.hex, "request": request.digest.hex]]
    }

    var text: DisplayText {
        """
        Wrote a request: \(path)
        Take the stick to the other laptop, and run there:  \("hikeshare send REGION --stick FOLDER", .command)
        Then bring it back:  \("hikeshare receive --stick FOLDER", .command)
        """
    }
}

extension Console {
    /// Warns of a file on a stick, which has several.
    func warn(of error: any Error, in path: String) {
        var report = ProblemReport(error, severity: .warning)
        // Other errors name the file themselves.
        if let error = error as? RegionStoreError, error.code == .invalidFile || error.code == .conflict {
            report.message = "\(path): \(error.message)"
        }
        warn(report)
    }
}

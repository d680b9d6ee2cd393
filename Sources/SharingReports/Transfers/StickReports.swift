import FoundationEssentials
import PeerCore
package import RegionSharing
import RegionStore

extension WrittenStickFile: Report {
    package var payloads: [JSONObject] {
        [
            [
                "type": "stickWritten",
                "file": path,
                "size": size,
                "regionID": regionID.uuidString,
                "regionName": regionName,
                "recipient": recipient?.request.signer.hex,
                "link": secret?.text,
            ]
        ]
    }

    package var text: DisplayText {
        let length: DisplayText = size.map { ", \(Wording.size($0))" } ?? ""
        let who: DisplayText = recipient.map { " for \($0.title)" } ?? ""
        let written: DisplayText = "Wrote \(DisplayText(quoting: regionName))\(who): \(path)\(length)"
        return secret.map { "\(written)\n\($0.text)" } ?? written
    }
}

extension WrittenStickRequest: Report {
    package var payloads: [JSONObject] {
        [["type": "stickRequest", "file": path, "id": request.signer.hex, "request": request.digest.hex]]
    }

    package var text: DisplayText {
        """
        Wrote a request: \(path)
        Take the stick to the other laptop, and run there:  \("hikeshare send REGION --stick FOLDER", .command)
        Then bring it back:  \("hikeshare receive --stick FOLDER", .command)
        """
    }
}

extension StickRecipient {
    /// Who has written the request, by the name that a trusted machine has here.
    package var title: DisplayText {
        let name = DisplayText(quoting: request.name)
        return switch trust {
        case .trusted(let name): DisplayText(quoting: name)
        case .impostor(let friend): "\(name) (\("NOT your trusted", .alarm) \(DisplayText(quoting: friend)))"
        case .known, .unknown: "\(name) (new)"
        }
    }
}

import FoundationEssentials
import PeerCore
package import RegionSharing
import RegionStore

extension WrittenStickFile: ObjectReport {
    package var json: JSONObject {
        [
            "type": "stickWritten",
            "file": path,
            "size": size,
            "regionID": regionID.uuidString,
            "regionName": regionName,
            "recipient": recipient?.request.signer.hex,
            "link": secret?.text,
        ]
    }

    package var text: DisplayText {
        let length: DisplayText = size.map { ", \(Wording.size($0))" } ?? ""
        let who: DisplayText = recipient.map { " for \($0.title)" } ?? ""
        let written: DisplayText = "Wrote \(DisplayText(quoting: regionName))\(who): \(path)\(length)"
        return secret.map { "\(written)\n\($0.text)" } ?? written
    }
}

extension WrittenStickRequest: ObjectReport {
    package var json: JSONObject {
        ["type": "stickRequest", "file": path, "id": request.signer.hex, "request": request.digest.hex]
    }

    package var text: DisplayText { text(typed: true) }

    /// What to do with it, with commands for a terminal or with buttons of the window.
    package func text(typed: Bool) -> DisplayText {
        guard typed else {
            return """
                Wrote a request: \(path)
                Take the stick to the other laptop, and choose there “Send …” at a map, then “To a stick …”.
                Then bring it back, and choose here “Receive from a stick …” again.
                """
        }
        return """
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

package import RegionSharing

extension PhoneDownload: ObjectReport {
    package var json: JSONObject {
        [
            "type": "webDownload",
            "number": number,
            "client": client,
            "file": name,
            "bytes": bytes,
            "size": size,
            "state": state.rawValue,
        ]
    }

    package var text: DisplayText {
        switch state {
        case .running: "\(client) downloads \(name), \(Wording.size(size)): \(Wording.percent(fraction))"
        case .complete: "\(client) has downloaded \(name), \(Wording.size(size))"
        case .interrupted:
            "\(client) stopped downloading \(name) at \(Wording.percent(fraction)); the download can be resumed"
        }
    }
}

import MapPages
import WebServer

/// The state of a download from the page for phones.
struct WebDownload: Hashable, Sendable {
    /// The state.
    enum State: String, Hashable, Sendable {
        case running, complete, interrupted
    }

    /// The download, and its destination.
    var download: ShareSite.Download
    /// The number of bytes that were sent, from the start of the file.
    var bytes: UInt64 = 0
    var state = State.running

    /// The fraction of the file that was sent, from 0 to 1.
    var fraction: Double {
        download.size == 0 ? 1 : min(1, Double(bytes) / Double(download.size))
    }

    /// Notes what has happened.
    mutating func note(_ event: WebFile.Event) {
        switch event {
        case .sent(let position): bytes = max(bytes, min(position, download.size))
        // A browser may ask for a part in the middle only.
        case .ended(let isComplete): state = isComplete && bytes == download.size ? .complete : .interrupted
        }
    }
}

/// A change in the state of a download.
struct WebDownloadReport: Report {
    var download: WebDownload

    var payloads: [JSONObject] {
        [
            [
                "type": "webDownload",
                "number": download.download.number,
                "client": download.download.client,
                "file": download.download.name,
                "bytes": download.bytes,
                "size": download.download.size,
                "state": download.state.rawValue,
            ]
        ]
    }

    var text: DisplayText {
        let (client, name, size) = (download.download.client, download.download.name, download.download.size)
        switch download.state {
        case .running:
            return "\(client) downloads \(name), \(Wording.size(size)): \(Wording.percent(download.fraction))"
        case .complete: return "\(client) has downloaded \(name), \(Wording.size(size))"
        case .interrupted:
            let share = Wording.percent(download.fraction)
            return "\(client) stopped downloading \(name) at \(share); the download can be resumed"
        }
    }
}

internal import RegionStore

/// The data of the page for phones, in the form that its script reads.
struct ShareData: Encodable {
    struct File: Encodable {
        /// What it is: the name of a ``DownloadKind``, or `program`.
        var kind: String
        /// The address.
        var url: String
        var name: String
        /// The size, in bytes; nil if the file is not ready.
        var size: UInt64?
        /// Why there is no file; nil if there is, or will be.
        var problem: String?
    }

    var region: RegionFacts
    /// The address of the map page.
    var map: String
    var files: [File]
    /// Whether GPX files can be sent to the laptop.
    var takesFiles: Bool
    /// The maximum size of such a file, in bytes.
    var maximumFileSize: Int
    /// Whether hikes, notes and photos are among the files.
    var hasPersonal: Bool
    /// Whether the page is in a Wi-Fi network of the laptop's own.
    var isOwnNetwork: Bool
}

extension ShareData.File {
    init(_ kind: DownloadKind, _ state: RegionDownloads.State?, name: String, url: String) {
        self.init(kind: kind.rawValue, url: url, name: name)
        switch state {
        case .ready(let size): self.size = size
        case .failed(let reason): problem = reason
        case .waiting, nil: break
        }
    }
}

/// What became of a file that was sent to the laptop.
struct UploadData: Encodable {
    var number: Int
    /// `waiting`, `refused` or `added`.
    var state: String
    var message: String

    init(_ number: Int, _ state: UploadQueue.State) {
        self.number = number
        switch state {
        case .waiting: (self.state, message) = ("waiting", "The person at the laptop is asked now.")
        case .refused(let reason), .unanswered(let reason): (self.state, message) = ("refused", reason)
        case .added(let sentence): (self.state, message) = ("added", sentence)
        }
    }
}

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
    /// Whether files can be sent to the laptop.
    var takesFiles: Bool
    /// The maximum length of a piece of such a file, in bytes.
    var pieceLength: Int
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

/// What is known of a file that is sent to the laptop.
struct UploadData: Encodable {
    var number: Int
    /// `asked`, `receiving`, `waiting`, `refused` or `added`.
    var state: String
    /// The number of bytes that have arrived.
    var length: UInt64
    var size: UInt64
    var message: String

    init(_ entry: UploadTable.Entry) {
        (number, length, size) = (entry.number, entry.length, entry.size)
        switch entry.state {
        case .asked: (state, message) = ("asked", "The person at the laptop is asked whether the file may come.")
        case .receiving: (state, message) = ("receiving", "The file is on its way.")
        case .waiting: (state, message) = ("waiting", "The laptop has the file. The person there is asked now.")
        case .refused(let reason), .unusable(let reason), .unanswered(let reason):
            (state, message) = ("refused", reason)
        case .added(let sentence): (state, message) = ("added", sentence)
        }
    }
}

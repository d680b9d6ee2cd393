internal import RegionStore

/// The data of the page for phones, in the form that its script reads.
struct ShareData: Encodable {
    struct File: Encodable {
        /// What it is: the name of a ``DownloadKind``, or `program`.
        var kind: String
        var title: String
        /// What it is for.
        var purpose: String
        /// What it lacks of the map, as a sentence; nil if it has everything, or is not ready.
        var detail: String?
        /// What concerns a person in it, as a sentence.
        var personal: String
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
    /// The files; those that a phone opens by itself come first.
    var files: [File]
    /// Why there is no file that a phone opens by itself; nil if there is one.
    var keepProblem: String?
    /// Whether files can be sent to the laptop.
    var takesFiles: Bool
    /// The maximum length of a piece of such a file, in bytes.
    var pieceLength: Int
    /// Whether hikes, notes and photos are among the files.
    var hasPersonal: Bool
    /// Whether the page is in a Wi-Fi network of the laptop's own.
    var isOwnNetwork: Bool
    /// When the downloads of this client have their turn; nil if nobody has to wait.
    var turn: String?
}

extension ShareData.File {
    /// Describes a file of a region.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - downloads: The files of the region.
    ///   - hasPersonal: Whether hikes, notes and photos are among the files.
    ///   - name: The name of the file.
    ///   - url: Its address.
    init(_ kind: DownloadKind, of downloads: RegionDownloads, hasPersonal: Bool, name: String, url: String) {
        let region = downloads.region
        let (title, purpose) = Self.words(for: kind, of: region)
        let personal =
            hasPersonal
            ? kind.personalParts(of: region, downloads.personal, hasPhotoDetails: downloads.hasPhotoDetails) : []
        self.init(
            kind: kind.rawValue,
            title: title,
            purpose: purpose,
            personal: personal.isEmpty
                ? "nothing personal in it" : "personal in it: " + personal.joined(separator: ", "),
            url: url,
            name: name
        )
        switch downloads.state(of: kind) {
        case .ready(let size): self.size = size
        case .failed(let reason): problem = reason
        case .waiting, nil: break
        }
        detail = downloads.note(of: kind)
    }

    /// Whether a phone opens it by itself.
    var isKept: Bool { [DownloadKind.html, .pdf].map(\.rawValue).contains(kind) }

    private static func words(for kind: DownloadKind, of region: RegionSummary) -> (title: String, purpose: String) {
        let hasPicture = region.format?.imageType != nil
        let hasHikes = region.hikeCount > 0
        return switch kind {
        case .html where hasPicture:
            ("The map for this phone", "one file for the browser; iPhones show it as a picture")
        case .html: ("The map for this phone", "one file for the browser; iPhones show only its lists")
        case .pdf: ("The map on one sheet (PDF)", "for iPhones and for printing")
        case .mbtiles: ("Map as MBTiles", "for Locus Map, Guru Maps and AlpineQuest")
        case .sealed: (PageWords.sealed(region), region.sealed?.format.opensIn ?? "")
        case .sqlitedb: ("Map for OsmAnd", "for OsmAnd, which cannot read MBTiles")
        case .gpx: (hasHikes ? "Hikes, routes and waypoints" : "Routes and waypoints", "one GPX file, for every app")
        case .zip: ("Everything as one ZIP", "for laptops")
        }
    }

    /// The file as an item of a list, for browsers without scripts.
    var listItem: String {
        let facts = [
            size.map(PageWords.size) ?? problem ?? "is being made: load this page again", purpose, detail, personal,
        ]
        .compactMap { $0 }
        let text =
            #"<span class="item-name">\#(title.escapedInHTML)</span>"#
            + #"<span class="item-facts">\#(facts.joined(separator: " · ").escapedInHTML)</span>"#
        let link = #"<a href="\#(url.escapedInHTML)" download="\#(name.escapedInHTML)">\#(text)</a>"#
        return "<li>" + (size == nil ? #"<div class="waiting">\#(text)</div>"# : link) + "</li>"
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
        case .refused(let reason), .unusable(let reason), .unanswered(let reason), .failed(let reason):
            (state, message) = ("refused", reason)
        case .added(let sentence): (state, message) = ("added", sentence)
        }
    }
}

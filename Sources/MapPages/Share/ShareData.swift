internal import RegionStore
internal import Sentences

/// The data of the page for phones in the language of a phone, in the form that its script reads.
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
    /// The maximum length of a block of such a file, in bytes.
    var blockLength: Int
    /// Whether hikes, notes and photos are among the files.
    var hasPersonal: Bool
    /// When the downloads of this client have their turn; nil if it does not have to wait.
    var turn: String?
}

extension ShareData.File {
    /// Describes a file of a region.
    init(
        _ kind: DownloadKind,
        of downloads: RegionDownloads,
        hasPersonal: Bool,
        name: String,
        url: String,
        in language: Language
    ) {
        let region = downloads.region
        let (title, purpose) = Self.words(for: kind, of: region)
        (self.kind, self.name, self.url) = (kind.rawValue, name, url)
        (self.title, self.purpose) = (language(title), language(purpose))
        let hasPhotos = !downloads.lacksPhotos(kind)
        let parts = kind.personalSentences(of: region, downloads.personal, hasPhotos: hasPhotos)
        personal = language(Self.words(forPersonal: hasPersonal ? parts : []))
        switch downloads.state(of: kind) {
        case .ready(let size): self.size = size
        case .failed(let reason): problem = language(Sentence(known: reason))
        case .waiting, nil: break
        }
        detail = downloads.lackSentence(of: kind).map { language($0) }
    }

    /// Describes the program itself.
    init(_ program: ShareSite.Program, size: UInt64, url: String, in language: Language) {
        kind = "program"
        title = language(Sentence("The program hikeshare"))
        purpose = language(Sentence("for laptops with Debian or Ubuntu"))
        personal = language(Self.words(forPersonal: []))
        (name, self.size, self.url) = (program.name, size, url)
    }

    /// Whether a phone opens it by itself.
    var isKept: Bool { [DownloadKind.html, .pdf].map(\.rawValue).contains(kind) }

    private static func words(forPersonal parts: [Sentence]) -> Sentence {
        Sentence.enumeration(parts).map { parts in Sentence("personal in it: \(parts)") }
            ?? Sentence("nothing personal in it")
    }

    private static func words(for kind: DownloadKind, of region: RegionSummary) -> (title: Sentence, purpose: Sentence)
    {
        let hasPicture = region.format?.imageType != nil
        let hasHikes = region.hikeCount > 0
        switch kind {
        case .html:
            let picture = Sentence("one file for the browser; iPhones show it as a picture")
            let lists = Sentence("one file for the browser; iPhones show only its lists")
            return (Sentence("The map for this phone"), hasPicture ? picture : lists)
        case .pdf: return (Sentence("The map on one sheet (PDF)"), Sentence("for iPhones and for printing"))
        case .mbtiles: return (Sentence("Map as MBTiles"), Sentence("for Locus Map, Guru Maps and AlpineQuest"))
        case .foreign: return (Sentence.foreign(region) ?? "", Sentence(known: region.foreign?.format.opensIn ?? ""))
        case .sqlitedb: return (Sentence("Map for OsmAnd"), Sentence("for OsmAnd, which cannot read MBTiles"))
        case .gpx:
            let titles = (Sentence("Hikes, routes and waypoints"), Sentence("Routes and waypoints"))
            return (hasHikes ? titles.0 : titles.1, Sentence("one GPX file, for every app"))
        case .zip: return (Sentence("Everything as one ZIP"), Sentence("for laptops"))
        }
    }

    /// Returns the file as an item of a list, for browsers without scripts.
    func listItem(in language: Language) -> String {
        let state = problem ?? language(Sentence("is being made: load this page again"))
        let facts = [size.map { language(.size($0)) } ?? state, purpose, detail, personal].compactMap { $0 }
        let text =
            #"<span class="item-name">\#(title.escapedInHTML)</span>"#
            + #"<span class="item-facts">\#(facts.joined(separator: " · ").escapedInHTML)</span>"#
        let link = #"<a href="\#(url.escapedInHTML)" download="\#(name.escapedInHTML)">\#(text)</a>"#
        return "<li>" + (size == nil ? #"<div class="waiting">\#(text)</div>"# : link) + "</li>"
    }
}

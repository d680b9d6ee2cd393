import FoundationEssentials
import MapPages
import RegionStore
import SharingReports

/// What a person sees of a region before exporting or removing it.
struct RegionCare: Encodable {
    struct File: Encodable {
        /// The name of a ``DownloadKind``.
        var kind: String
        var title: String
        var purpose: String
        /// The size, in bytes; nil if that is known only when the file was made.
        var size: UInt64?
        /// What concerns a person in it, in words.
        var personal: [String]
        /// The same if photos say nothing of the camera, the place and the time.
        var personalWithoutPhotoDetails: [String]
    }

    /// The state of the region, by which a removal is only of what was seen.
    var mark: String
    var name: String
    /// What it has, in words.
    var contents: String
    /// What is lost with it besides its map, in words; empty for nothing.
    var losses: String
    /// What a person should know before removing it, as sentences.
    var warnings: [String]
    var files: [File]
    /// Whether photos may say something of the camera, the place and the time.
    var hasPhotoDetails: Bool

    private static let maximumNamedCount = 5

    /// Reads what there is to know; `makes` says whether there is a maker of a kind of files.
    init(_ id: UUID, in store: RegionStore, makes: (RegionSummary, DownloadKind) -> Bool) throws {
        let version = try store.version(of: id)
        let region = version.summary
        let personal = try store.withItems(of: id) { try $0.personalContent() }
        mark = version.mark
        name = MapLimits.shownName(region.name)
        contents = "\(region.contents), \(Wording.size(region.fileSize))"
        losses = region.losses(hasGPX: false)
        hasPhotoDetails = personal.detailedPhotos + personal.unexaminedPhotos > 0
        var withoutDetails = personal
        (withoutDetails.photoDetails, withoutDetails.unexaminedPhotos) = ([], 0)
        let kinds = region.downloadKinds { makes(region, $0) }
        files = kinds.map { [withoutDetails] kind in
            let (title, purpose) = kind.words(of: region)
            return File(
                kind: kind.rawValue,
                title: title,
                purpose: purpose,
                size: [.mbtiles, .foreign].contains(kind) ? region.mapSize : nil,
                personal: kind.personalParts(of: region, personal),
                personalWithoutPhotoDetails: kind.personalParts(of: region, withoutDetails)
            )
        }
        warnings = []
        let unreadable = try region.hasItems ? store.unreadableItems(of: id) : []
        if !unreadable.isEmpty {
            let more = unreadable.count - Self.maximumNamedCount
            let names = unreadable.prefix(Self.maximumNamedCount).joined(separator: ", ")
            warnings.append(
                "This cannot be read, so no exported file has it: \(names)" + (more > 0 ? " and \(more) more." : ".")
            )
        }
        if let arriving = try? store.incomingFiles(), arriving.contains(where: { $0.regionID == id && $0.isArriving }) {
            warnings.append(
                "This region is being received now. If you remove it, the end of the transfer adds the map again. To prevent that, stop "
                    + "the transfer first."
            )
        }
    }
}

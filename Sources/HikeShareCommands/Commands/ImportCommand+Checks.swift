import RegionSharing
import RegionStore
import Sentences
import SharingReports

extension ImportCommand {
    /// Checks that the options fit the files, which are of these kinds.
    func check(_ kinds: [ImportKind]) throws {
        let foreignCount = kinds.count { $0.foreignFormat != nil }
        let (mapCount, photoCount) = (kinds.count { $0 == .map } + foreignCount, kinds.count { $0 == .photo })
        let options = [("--name", name), ("--routing", routing), ("--update", update)]
        if let (option, _) = options.first(where: { $0.1 != nil }), mapCount != 1 {
            throw CommandError(
                .usage,
                "\(option) needs exactly one map, but \(mapCount) are given.",
                remedy: "Give one map. It may be a map that was imported before."
            )
        }
        guard routing == nil || foreignCount == 0 else {
            throw CommandError(.usage, "--routing is for a map with tiles.", remedy: "Remove --routing.")
        }
        guard !replace || photoCount > 0 else {
            throw CommandError(.usage, "--replace needs a photo, but none is given.", remedy: "Remove --replace.")
        }
        guard waypoint == nil || photoCount == 1 else {
            throw CommandError(
                .usage,
                "--waypoint needs exactly one photo, but \(photoCount) are given.",
                remedy: "Give one photo, and its waypoint with --waypoint NAME."
            )
        }
    }

    /// Opens the store, which must exist.
    func openStoreForPhotos() throws -> RegionStore {
        do {
            return try global.openStore(.writing)
        } catch let error as CommandError where error.code == .notFound {
            throw Self.noWaypoints
        } catch let error as RegionStoreError where error.code == .notFound {
            throw Self.noWaypoints
        }
    }

    private static let noWaypoints = CommandError(
        .notFound,
        "A photo is added to the waypoint that it shows, and you have no waypoints yet.",
        remedy: "Import maps, and files with waypoints, first or together with the photos."
    )

    func tell(of done: ImportSummary, _ console: Console) throws {
        let leftOut = PlainReport.leftOut(done.leftOut)
        console.emitForPrograms(leftOut)
        if !done.leftOut.isEmpty { console.note(leftOut.text) }
        if done.leftOut.contains(where: { if case .photo = $0.why { true } else { false } }) {
            console.note("To add a photo to a waypoint:  \("hikeshare import PHOTO --waypoint NAME", .command)")
        }
        tellWhatIsNext(done.regions, console)
        guard !done.refused.isEmpty else { return }
        if !done.regions.isEmpty {
            // Their reports may hide the errors.
            console.note("Not imported: \(Wording.count(done.refused.count, "file")), for the reasons above.")
        }
        throw Self.failure(done.refused)
    }

    /// The failure for files whose errors were told; the worst counts, as a file that could not be read or stored may be valid.
    static func failure(_ refused: [RefusedFile]) -> ReportedFailure {
        let order: [ExitStatus] = [.storage, .badInput, .notFound]
        return ReportedFailure(status: order.first { refused.map(\.status).contains($0) } ?? .badInput)
    }

    private func tellWhatIsNext(_ regions: [RegionSummary], _ console: Console) {
        guard let region = regions.first else { return }
        console.note(
            regions.count == 1
                ? """
                To see it:   \("hikeshare \(region.foreign == nil ? "map" : "open") \(region.typed)", .command)
                To send it:  \("hikeshare send \(region.typed)", .command)
                """
                : """
                To see them:  \("hikeshare map", .command)
                To send one:  \("hikeshare send NAME", .command)
                """
        )
    }
}

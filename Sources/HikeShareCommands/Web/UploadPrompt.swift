import FoundationEssentials
import MapPages
import RegionStore

/// Asks about the GPX files that phones send, and adds them to the region.
struct UploadPrompt: Sendable {
    /// The number of names that a question shows.
    private static let shownNames = 5

    var region: RegionSummary
    var store: RegionStore
    var console: Console

    /// Decides on files until the task is cancelled.
    func follow(_ queue: UploadQueue) async {
        for await upload in queue.uploads {
            let state = await decide(on: upload)
            queue.finish(upload.number, state)
        }
    }

    private func decide(on upload: UploadQueue.Upload) async -> UploadQueue.State {
        do {
            let document = try GPXReader(limits: .upload).read(Data(upload.bytes), named: "Track")
            guard
                try await console.confirm(
                    introduction: Self.introduction(document, from: upload.client),
                    "Add this to \(DisplayText(quoting: region.name))?",
                    rings: true
                )
            else { return .refused("The person at the laptop said no.") }
            let imported = try store.importGPX(document, into: region.id)
            let report = GPXImportReport(file: "the file", imported: imported)
            console.emit(report)
            return .added("The laptop has it now.")
        } catch let error as RegionStoreError {
            console.warn(ProblemReport(error, severity: .warning))
            return .refused(error.message)
        } catch {
            return .refused("There was no answer.")
        }
    }

    /// What a file contains, for the question.
    static func introduction(_ document: GPXDocument, from client: String) -> DisplayText {
        let counts = [
            (document.savedRoutes.count, "hike"), (document.plannedRoutes.count, "planned route"),
            (document.waypoints.count, "waypoint"),
        ]
        let words = Wording.list(counts.filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) })
        let names =
            document.savedRoutes.map(\.name) + document.plannedRoutes.map(\.name) + document.waypoints.map(\.label)
        let shown = names.prefix(shownNames).map { DisplayText(quoting: $0) }.joined(separator: ", ")
        let more: DisplayText = names.count > shownNames ? " …" : ""
        return "A phone (\(client)) has sent \(words): \(shown)\(more)"
    }
}

import PeerCore
package import RegionSharing
package import RegionStore
import Sentences

extension RefusedFile {
    /// Why the file cannot be imported.
    package var report: ProblemReport {
        var report = ProblemReport(error)
        report.status = status
        guard let error = error as? RegionStoreError else { return report }
        report.remedy =
            switch work {
            case .reading: ProgramRemedy.forFile(error)
            case .map: ProgramRemedy.forMap(error)
            case .tracks(let hasRegion): ProgramRemedy.forGPX(error, hasRegion: hasRegion)
            case .photo: ProgramRemedy.forPhoto(error)
            case .routing: error.remedy.map { Remedy(known: $0) }
            }
        return report
    }

    /// The exit code for it: a file that is there and is refused is a bad one, for whatever reason.
    package var status: ExitStatus {
        let missing = (error as? RegionStoreError)?.cause as? SystemError
        if missing?.isOfMissingFile == true { return .notFound }
        return ExitStatus(error) == .storage ? .storage : .badInput
    }
}

extension ImportError: WordedError {
    package var words: CommandError {
        switch self {
        case .needsQuestion(let replacement):
            CommandError(
                .declined,
                """
                \(replacement.file) does not replace the map of “\(replacement.local.name)” without a question. \
                \(replacement.ageWords)
                """,
                typed: "Run the command in a terminal, or with --yes."
            )
        case .unclearPhoto(let file, let candidates):
            CommandError(
                .unknownFile,
                candidates == 0
                    ? "\(file): No waypoint is called like this photo, links to it, or is where it was taken."
                    : "\(file): \(candidates) waypoints are called like this photo.",
                typed: "Import it by itself, and name its waypoint with --waypoint NAME.",
                window: candidates == 0
                    ? "Give the photo the name of its waypoint, and add it again."
                    : "Give the waypoint that it shows a name of its own, and the photo the same name."
            )
        case .unclearWaypoint(let error, let region):
            CommandError(
                error.code == .ambiguous ? .ambiguous : .notFound,
                Sentence(known: error.message),
                remedy: error.code == .ambiguous && region == nil
                    ? .typed(
                        "Name the region with --region, and use the number instead of the name.",
                        window: nil
                    )
                    : ProgramRemedy.forItem(error, of: region).map { .typed(Sentence(known: $0), window: nil) }
            )
        }
    }
}

extension CommandError {
    /// There is nothing to import in some files or folders, among which these are.
    package static func nothingToImport(in files: String, _ readable: [InputFile]) -> CommandError {
        let odd = readable.compactMap { file in file.reason.map { "\(file.path) is \($0)" } }
        let damaged = odd.isEmpty ? "" : " \(odd.prefix(5).joined(separator: ", "))\(odd.count > 5 ? " …" : "")."
        return CommandError(
            .unknownFile,
            "There are no maps, track files or photos in \(files).\(damaged)",
            typed: "Name a folder that has some, or the files.",
            window: "Add a folder that has some, or the files."
        )
    }
}

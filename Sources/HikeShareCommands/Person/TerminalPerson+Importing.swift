import PeerCore
import RegionSharing
import RegionStore
import SharingReports

extension TerminalPerson {
    /// Says what happens while files are imported.
    func tell(_ happening: ImportingHappening) {
        switch happening {
        case .refused(let file): console.warn(file.report)
        case .large(let map): map.tell(at: console)
        case .working(let file, let progress): console.show(progress, of: "Importing \(file)")
        case .map(let map): console.emit(map)
        case .sealedMap(let map): console.emit(map)
        case .perhapsNewer(let replacement): replacement.tellOfAnother(at: console)
        case .replacedUnasked(let replacement): console.note(replacement.introduction)
        case .sameFile(let older):
            console.note(
                """
                You have a file of this name already, as \(DisplayText(quoting: older.name)). To have only the new one, remove that \
                region; to replace its map, use --update.
                """,
                .perhapsNewer,
                "There is a file of this name already, as “\(older.name)”.",
                remedy: "To replace its map, use --update."
            )
        case .sameName(let region, let count):
            console.note(
                """
                You have \(count) regions of this name now. To rename this one:  \
                \("hikeshare rename \(region.shortID) NAME", .command)
                """,
                .sameName,
                "There are \(count) regions with the name “\(region.name)” now.",
                remedy: "To rename this one, run 'hikeshare rename \(region.shortID) NAME'."
            )
        case .signed(let name): console.note(MapSigning.words(name))
        case .routing(let routing): console.emit(routing)
        case .tracks(let tracks): console.emit(tracks)
        case .damagedTracks(let file, let damage): console.warn(ImportedTracks.damaged(file, damage))
        case .tracksOutside(let file, let imported): console.warn(ImportedTracks.outsideArea(file, imported))
        case .photo(let photo): console.emit(photo)
        case .damagedPhoto(let file):
            let message = "\(file) ends early, so a part of the photo is missing. It was added as it is."
            let remedy: Remedy = "Copy it from the camera again, and add it with --replace."
            console.warn(ProblemReport(CommandError(.unknownFile, message, remedy: remedy), severity: .warning))
        }
    }
}

extension RegionStore {
    /// Returns the description of this machine, and asks for its name if none was chosen.
    func localPeer(at console: Console) async throws -> LocalPeer {
        let asks = try console.canAsk && displayName() == nil
        return try localPeer(name: asks ? await TerminalPerson(console).ask(OwnNameQuestion()) : nil)
    }
}

extension MapSigning {
    /// What a person is told once.
    static func words(_ name: String) -> DisplayText {
        """
        Signed as \(name): everyone who gets this map sees the name and the day, from others, too. To leave them out:  \
        \("hikeshare import FILE --unsigned", .command)
        """
    }
}

extension RefusedFile {
    /// Why the file cannot be imported.
    fileprivate var report: ProblemReport {
        var report = ProblemReport(error)
        report.status = status
        guard let error = error as? RegionStoreError else { return report }
        let remedy =
            switch work {
            case .reading: ProgramRemedy.forFile(error)
            case .map: ProgramRemedy.forMap(error)
            case .tracks(let hasRegion): ProgramRemedy.forGPX(error, hasRegion: hasRegion)
            case .photo: ProgramRemedy.forPhoto(error)
            case .routing: error.remedy
            }
        report.remedy = remedy.map { Remedy($0) }
        return report
    }

    /// The exit code for it: a file that is there and is refused is a bad one, for whatever reason.
    var status: ExitStatus {
        let missing = (error as? RegionStoreError)?.cause as? SystemError
        if missing?.isOfMissingFile == true { return .notFound }
        return ExitStatus(error) == .storage ? .storage : .badInput
    }
}

extension ImportError: WordedError {
    var words: CommandError {
        switch self {
        case .needsQuestion(let replacement):
            CommandError(
                .declined,
                "\(replacement.file) does not replace the map of “\(replacement.local.name)” without a question. "
                    + replacement.ageWords,
                remedy: "Run the command in a terminal, or with --yes."
            )
        case .unclearPhoto(let file, let candidates):
            CommandError(
                .unknownFile,
                candidates == 0
                    ? "\(file): No waypoint is called like this photo, links to it, or is where it was taken."
                    : "\(file): \(candidates) waypoints are called like this photo.",
                remedy: "Import it by itself, and name its waypoint with --waypoint NAME."
            )
        case .unclearWaypoint(let error, let region):
            CommandError(
                error.code == .ambiguous ? .ambiguous : .notFound,
                error.message,
                remedy: error.code == .ambiguous && region == nil
                    ? "Name the region with --region, and use the number instead of the name."
                    : ProgramRemedy.forItem(error, of: region).map { Remedy($0) }
            )
        }
    }
}

extension MapReplacement: TerminalQuestion {
    func ask(at console: Console) async throws -> Decision {
        answer(try await console.ask(introduction: introduction, question) ?? "")
    }

    /// What a line means as an answer.
    func answer(_ line: String) -> Decision {
        if HikeShareCommands.Answer.isYes(line) { return .replace(local) }
        return isWished || HikeShareCommands.Answer.isNo(line) ? .leaveOut : .add(name: line)
    }

    /// Says that the region stays as it is, because there is no person to ask.
    func tellOfAnother(at console: Console) {
        let way = map.isPart ? "add the tiles of this part to its map" : "replace its map"
        console.note(
            "\(DisplayText(quoting: local.name)) covers the same area as \(file) and stays as it is. To \(way), use --update.",
            .perhapsNewer,
            "“\(local.name)” covers the same area as \(file) and stays as it is.",
            remedy: "To \(way), use --update."
        )
    }
}

extension LargeMap: TerminalQuestion {
    /// Tells of an import that starts without a question.
    func tell(at console: Console) { console.note("\(words) To stop, \(Console.stopping).") }

    func ask(at console: Console) async throws -> Bool {
        guard console.canAsk else {
            tell(at: console)
            return true
        }
        let size: DisplayText = "The file itself has \(Wording.size(cost.fileSize))."
        return try await console.confirm(introduction: "\(words) \(size)", "Import it?")
    }
}

import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

extension TerminalPerson {
    /// Says what happens while files are imported.
    func tell(_ happening: ImportingHappening) {
        switch happening {
        case .refused(let file): console.warn(file.report)
        case .large(let map): map.tell(at: console)
        case .working(let file, let progress): console.show(progress, of: "Importing \(file)")
        case .map(let map): console.emit(map)
        case .foreignMap(let map): console.emit(map)
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
            let message: Sentence = "\(file) ends early, so a part of the photo is missing. It was added as it is."
            let remedy: Remedy = "Copy it from the camera again, and add it with --replace."
            console.warn(ProblemReport(CommandError(.unknownFile, message, remedy: remedy), severity: .warning))
        }
    }
}

extension RegionStore {
    /// Returns the description of this machine, and asks for its name if none was chosen, unless nothing shall be asked.
    func localPeer(name: OwnName? = nil, at console: Console, asks: Bool = true) async throws -> LocalPeer {
        let isUnnamed = try name == nil && asks && console.canAsk && displayName() == nil
        return try localPeer(name: isUnnamed ? await TerminalPerson(console).ask(OwnNameQuestion()) : name)
    }
}

extension MapSigning {
    /// The note about signing, which is shown once.
    static func words(_ name: String) -> DisplayText {
        """
        Signed as \(name): everyone who gets this map sees the name and the day, from others, too. To leave them out:  \
        \("hikeshare import FILE --unsigned", .command)
        """
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
        let remedy: Sentence =
            map.isPart
            ? "To add the tiles of this part to its map, use --update." : "To replace its map, use --update."
        console.note(
            "\(DisplayText(quoting: local.name)) covers the same area as \(file) and stays as it is. \(remedy)",
            .perhapsNewer,
            "“\(local.name)” covers the same area as \(file) and stays as it is.",
            remedy: remedy
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

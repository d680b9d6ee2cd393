import RegionSharing
import RegionStore

extension MapReplacement: TerminalQuestion {
    func ask(at console: Console) async throws -> Decision {
        answer(try await console.ask(introduction: introduction, question) ?? "")
    }

    /// The text above the question.
    var introduction: DisplayText {
        let name = DisplayText(quoting: local.name)
        guard !isWished else { return "\(file), for \(name): \(words)" }
        let version: DisplayText = ages.age == .newer ? "a newer version" : "another version"
        let what: DisplayText =
            map.isPart ? "is a part of a map, in the area of \(name)" : "may be \(version) of \(name)"
        let isNamesake = map.name?.lowercased() == local.name.lowercased()
        let called: DisplayText = isNamesake ? "\(file)" : "\(file), \(DisplayText(quoting: map.name ?? "")),"
        return "\(called) \(what). \(words)"
    }

    /// The question.
    var question: DisplayText {
        let action: DisplayText = map.isPart ? "Add its tiles to that map?" : "Replace its map?"
        let items: DisplayText = local.hasItems ? " Hikes, routes and waypoints stay." : ""
        let choices: DisplayText = isWished ? "[y/N] " : "[y/N, or a name to add it as another region] "
        return "\(action)\(items) \(choices)"
    }

    /// What a line means as an answer.
    func answer(_ line: String) -> Decision {
        if HikeShareCommands.Answer.isYes(line) { return .replace(local) }
        return isWished || HikeShareCommands.Answer.isNo(line) ? .leaveOut : .add(name: line)
    }

    /// Says that the region stays as it is, because nobody was asked.
    func tellOfAnother(at console: Console) {
        let way = map.isPart ? "add the tiles of this part to its map" : "replace its map"
        console.note(
            "\(DisplayText(quoting: local.name)) covers the same area as \(file) and stays as it is. To \(way), use --update.",
            .perhapsNewer,
            "“\(local.name)” covers the same area as \(file) and stays as it is.",
            remedy: "To \(way), use --update."
        )
    }

    /// Which of the two maps is newer, in words.
    var ageWords: String {
        switch ages.age {
        case .newer: "It is newer (\(ages.words))."
        case .same: "It is as old as yours (\(ages.words))."
        case .older: "It is older than your map (\(ages.words))."
        case .unknown: "Which map is newer is not known (\(ages.words))."
        }
    }

    /// What the map would change, in words.
    private var words: DisplayText {
        let zooms: DisplayText =
            lostZooms.isEmpty ? "" : " It has no tiles at \(Wording.zoomWords(lostZooms)), which your map has."
        let then: DisplayText = isSigned ? "the new one will be signed by you" : "the new one will not be signed"
        let maker: DisplayText = lostMaker.map { " Your map is \($0.words); \(then)." } ?? ""
        return "\(ageWords)\(zooms)\(maker)"
    }
}

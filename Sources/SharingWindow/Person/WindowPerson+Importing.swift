import MapPages
package import RegionSharing
package import RegionStore
package import SharingReports

extension WindowPerson {
    /// Says what was added to the store.
    package func tell(_ happening: ImportingHappening) {
        switch happening {
        case .map(let map): emit(map.text(typed: false), region: map.stored.region.id)
        case .foreignMap(let map): emit(map.text, region: map.stored.region.id)
        case .routing(let routing): emit(routing.text, region: routing.region.id)
        case .tracks(let tracks): emit(tracks.text(typed: false), region: tracks.imported.region.id)
        case .photo(let photo): emit(photo.text, region: photo.region.id)
        case .perhapsNewer(let replacement):
            note(
                "\(DisplayText(quoting: replacement.local.name)) covers the same area as the file, and stays as it is."
            )
        case .replacedUnasked(let replacement): note(replacement.introduction)
        case .sameFile(let older): note("You have a file of this name already, as \(DisplayText(quoting: older.name)).")
        case .sameName(let region, let count):
            note("You have \(count) regions of the name \(DisplayText(quoting: region.name)) now.")
        case .signed(let name):
            note("Signed as \(name): everyone who gets this map sees the name and the day, from others, too.")
        case .damagedPhoto: note("The photo ends early, so a part of it is missing. It was added as it is.")
        // What a phone sends is asked about and told as a whole.
        case .refused, .large, .working, .damagedTracks, .tracksOutside: break
        }
    }

    /// Shows how much of the work on a file is done; nil at its end.
    package func show(_ progress: ImportProgress?, of title: DisplayText) {
        func show(_ part: Double, of total: String) {
            self.show("\(title)  \(Wording.percent(part)) of \(total)", fraction: part)
        }
        switch progress {
        case .bytes(let done, let total)? where total > 0:
            show(Double(done) / Double(total), of: Wording.size(UInt64(clamping: total)))
        case .tiles(let done, let total)? where total > 0:
            show(Double(done) / Double(total), of: Wording.count(total, "tile"))
        default: self.show(nil)
        }
    }
}

extension MapReplacement {
    private static let another = "another"

    /// The question what to do with the map, as buttons.
    func windowQuestion(introduction: DisplayText) -> AppWindowQuestion {
        let replaces: DisplayText = map.isPart ? "Add its tiles to that map" : "Replace that map"
        let stays = local.hasItems ? "Its hikes, routes and waypoints stay" : ""
        var choices = [AppWindowQuestion.Choice(answer: AppWindowQuestion.yes, name: replaces.string, facts: stays)]
        if !isWished {
            choices.append(AppWindowQuestion.Choice(answer: Self.another, name: "Add it as another map"))
        }
        choices.append(AppWindowQuestion.Choice(answer: AppWindowQuestion.no, name: "Leave it out"))
        return AppWindowQuestion(
            AppWindowText("What should be done with it?"),
            form: .choice,
            introduction: AppWindowText(introduction),
            choices: choices
        )
    }

    /// What an answer means; nil for another map, which may get a name of its own.
    func decision(_ answer: String) -> Decision? {
        switch answer {
        case AppWindowQuestion.yes: .replace(local)
        case Self.another where !isWished: nil
        default: .leaveOut
        }
    }
}

extension MapReplacement: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Decision {
        let answer = try await person.questions.ask { windowQuestion(introduction: introduction) }
        if let decision = decision(answer) { return decision }
        return .add(name: try await person.line("What should the other map be called?", usual: map.name ?? local.name))
    }
}

extension LargeMap: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        let size: DisplayText = "The file itself has \(Wording.size(cost.fileSize))."
        return try await person.confirm(introduction: "\(words) \(size)", "Add it?")
    }
}

extension PhotoReplacement: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        let place: DisplayText = "\(DisplayText(quoting: label)) in \(DisplayText(quoting: region.name))"
        return try await person.confirm(
            introduction: "\(file) shows \(place), which has another photo.",
            "Replace that photo?"
        )
    }
}

extension SigningQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        try await person.confirm(
            introduction: """
                A map can carry the name of the person who has added it, and the day: everyone who gets it sees them, from others, \
                too, and knows that nobody has changed it since.
                """,
            "Sign the maps that you add with your name, now and later?"
        )
    }
}

import MapPages
package import RegionSharing
import RegionStore
import SharingReports

extension WindowPerson {
    /// Says what happens on the page for phones.
    package func tell(_ happening: PhoneHappening) {
        switch happening {
        case .shown(let page): sender?.show(page)
        case .download(let download):
            if download.state != .running { note(download.text) }
            sender?.progress.show(download)
        case .upload(let upload): sender?.progress.show(upload)
        case .examining(let file, let progress): show(progress, of: "Examining \(file.quotedName)")
        case .unusable(let file):
            note("A phone (\(file.client)) has sent a file that cannot be added, \(file.quotedName), and was told why.")
        case .unanswered(let file):
            note("There was no answer, so \(file.quotedName) from \(file.client) was not added.")
        case .failed(let file, let error):
            note("\(file.quotedName) from \(file.client) could not be added:")
            warn(error)
        }
    }

    /// Says what was added to the store.
    package func tell(_ happening: ImportingHappening) {
        switch happening {
        case .map(let map): emit(map.text(typed: false))
        case .sealedMap(let map): emit(map.text)
        case .routing(let routing): emit(routing.text)
        case .tracks(let tracks): emit(tracks.text(typed: false))
        case .photo(let photo): emit(photo.text)
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

    /// Shows how far the examination of a file is; nil at its end.
    private func show(_ progress: ImportProgress?, of title: DisplayText) {
        switch progress {
        case .bytes(let done, let total)? where total > 0:
            show(
                "\(title)  \(Wording.percent(Double(done) / Double(total))) of \(Wording.size(UInt64(clamping: total)))"
            )
        case .tiles(let done, let total)? where total > 0:
            show("\(title)  \(Wording.percent(Double(done) / Double(total))) of \(Wording.count(total, "tile"))")
        default: show(nil)
        }
    }
}

extension PersonalPageQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        try await person.confirm(introduction: personal.pageIntroduction, "Add them to the page?")
    }
}

extension PhoneFileQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool? {
        let answer = try await person.questions.askGivingWay(within: patience) { .yesOrNo(introduction, question) }
        return answer.map { $0 == AppWindowQuestion.yes }
    }
}

extension PhoneMapQuestion: WindowQuestion {
    private static let another = "another"

    package func ask(_ person: WindowPerson) async throws -> MapReplacement.Decision? {
        let replaces: DisplayText = replacement.map.isPart ? "Add its tiles to that map" : "Replace that map"
        var choices = [AppWindowQuestion.Choice(answer: AppWindowQuestion.yes, name: replaces.string)]
        if !replacement.isWished {
            choices.append(AppWindowQuestion.Choice(answer: Self.another, name: "Add it as another map"))
        }
        choices.append(AppWindowQuestion.Choice(answer: AppWindowQuestion.no, name: "Leave it out"))
        let question = AppWindowQuestion(
            AppWindowText("What should be done with it?"),
            form: .choice,
            introduction: AppWindowText(introduction),
            choices: choices
        )
        let answer = try await person.questions.askGivingWay(within: patience) { question }
        return answer.map { answer in
            switch answer {
            case AppWindowQuestion.yes: .replace(replacement.local)
            case Self.another where !replacement.isWished: .add(name: nil)
            default: .leaveOut
            }
        }
    }
}

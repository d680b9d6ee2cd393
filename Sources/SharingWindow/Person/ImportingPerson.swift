import MapPages
package import RegionSharing
import SharingReports

/// The person in front of the window who adds files: what is told of a file has its name.
package struct ImportingPerson: Person {
    let person: WindowPerson
    /// Whether there are several files.
    let isOfSeveral: Bool
    /// Whether something is in the store that was not there before.
    let hasAdded: WindowStop.Flag

    package func tell(_ happening: Happening) {
        guard case .importing(let happening) = happening else { return person.tell(happening) }
        switch happening {
        case .refused(let file): person.window.tell(warning: AppWindowText(words(of: file)))
        case .large(let map): person.note(map.words)
        case .working(let file, let progress): person.show(progress, of: "Adding \(file)")
        case .map(let map): emit(map.text(typed: false), of: map.file)
        case .foreignMap(let map): emit(map.text, of: map.file)
        case .routing(let routing): emit(routing.text, of: routing.file)
        case .tracks(let tracks): emit(tracks.text(typed: false), of: tracks.file)
        case .photo(let photo): emit(photo.text, of: photo.file)
        case .damagedTracks(let file, let damage): warn(ImportedTracks.damaged(file, damage))
        case .tracksOutside(let file, let imported): warn(ImportedTracks.outsideArea(file, imported))
        case .damagedPhoto(let file):
            person.note("\(file) ends early, so a part of the photo is missing. It was added as it is.")
        case .perhapsNewer, .replacedUnasked, .sameFile, .sameName, .signed: person.tell(happening)
        }
    }

    package func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
        try await person.ask(question)
    }

    private func emit(_ text: DisplayText, of file: String) {
        hasAdded.set(true)
        person.emit(isOfSeveral ? "\(file, .strong)\n\(text)" : text)
    }

    private func warn(_ report: ProblemReport) { person.window.tell(warning: AppWindowText(report.windowText)) }

    /// Why a file cannot be added, with its name.
    private func words(of file: RefusedFile) -> DisplayText {
        let words = file.report.windowText
        return DisplayText(file.report.message).string.contains(file.file) ? words : "\(file.file, .strong)\n\(words)"
    }
}

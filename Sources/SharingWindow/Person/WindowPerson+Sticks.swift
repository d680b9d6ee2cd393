import MapPages
import PeerCore
package import RegionSharing
import RegionStore
import SharingReports

extension WindowPerson {
    /// Says what happens with a stick.
    package func tell(_ happening: StickHappening) {
        switch happening {
        case .unusable(let path, let error): warn(of: error, in: path)
        case .writing(let region, let progress): show(progress, of: "Writing \(DisplayText(quoting: region))")
        case .reading(let region, let progress): show(progress, of: "Reading \(DisplayText(quoting: region))")
        case .written(let file): emit(file.text)
        case .writtenBefore(let path):
            note("\(path) was written before for this request. To write it again, remove it.")
        case .personal(let personal): if let words = personal.words { note(words) }
        case .sealedForAnyone(let secret, let count):
            let drawings = QRCode(secret.text).map { QRCodeSheet($0).items.map { AppWindowDrawing($0) } } ?? []
            let what: DisplayText = count == 1 ? "the map" : "the maps"
            let words: DisplayText = "Anyone who has the stick and this link can read \(what)."
            window.tell(AppWindowText(words), drawings: drawings)
        case .requested(let request):
            emit(request.text(typed: false))
            guard request.isReplacement else { return }
            note("It replaces your former request: what is sealed for that one cannot be opened any more.")
        case .left(let path, .leftOut): note("The file stays on the stick, for what you left out: \(path)")
        case .left(let path, .different):
            note("The file stays on the stick, for what differs from yours: \(path)")
        }
    }

    /// Warns of a file on a stick, which has several.
    private func warn(of error: any Error, in path: String) {
        // Other errors name the file themselves.
        guard var error = error as? RegionStoreError, error.code == .invalidFile || error.code == .conflict else {
            return warn(error)
        }
        error.message = "\(path): \(error.message)"
        warn(error)
    }
}

extension StickRecipientQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        try await person.confirm(introduction: introduction, question)
    }
}

extension StickAnyoneQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        try await person.confirm(introduction: personal.words, question)
    }
}

extension StickRequestQuestion: WindowQuestion {
    package func ask(_ person: WindowPerson) async throws -> Bool {
        try await person.confirm(introduction: introduction, question)
    }
}

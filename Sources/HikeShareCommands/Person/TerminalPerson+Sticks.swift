import PeerCore
import RegionSharing
import RegionStore
import Sentences
import SharingReports

extension TerminalPerson {
    func tell(_ happening: StickHappening) {
        switch happening {
        case .unusable(let path, let error): warn(of: error, in: path)
        case .writing(let region, let progress): console.show(progress, of: "Writing \(region)")
        case .written(let file): console.emit(file)
        case .writtenBefore(let path):
            let message: Sentence = "\(path) was written before for this request."
            let remedy: Sentence = "To write it again, remove it."
            console.note("\(message) \(remedy)", .writtenBefore, message, remedy: remedy)
        case .personal(let personal): if let words = personal.words { console.note(words) }
        case .sealedForAnyone(let secret, let count):
            if let code = QRCode(secret.text) { console.note(QRCodeSheet(code)) }
            console.note(
                "Anyone who has the stick and this link can read \(count == 1 ? "the region" : "the regions")."
            )
        case .requested(let request):
            console.emit(request)
            guard request.isReplacement else { return }
            console.note("It replaces your former request: what is sealed for that one cannot be opened any more.")
        case .reading(let region, let progress): console.show(progress, of: "Reading \(region)")
        case .left(let path, .leftOut): console.note("The file stays on the stick, for what you left out: \(path)")
        case .left(let path, .different):
            console.note(
                "The file stays on the stick, for what differs from yours; to take that, receive it without --yes: \(path)"
            )
        }
    }

    /// Warns of a file on a stick, which has several.
    private func warn(of error: any Error, in path: String) {
        var report = ProblemReport(error, severity: .warning)
        // Other errors name the file themselves.
        if let error = error as? RegionStoreError, error.code == .invalidFile || error.code == .conflict {
            report.message = "\(path): \(Sentence(known: error.message))"
        }
        console.warn(report)
    }
}

extension StickRecipientQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool {
        try await console.confirm(introduction: introduction, question)
    }
}

extension StickAnyoneQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool {
        try await console.confirm(introduction: personal.words, question)
    }
}

extension StickRequestQuestion: TerminalQuestion {
    func ask(at console: Console) async throws -> Bool {
        try await console.confirm(introduction: introduction, question)
    }
}

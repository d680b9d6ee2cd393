internal import Synchronization

/// The language in which the program talks to the person who has started it.
extension Language {
    /// Whether it may be another language than English; most programs and all libraries need nothing else.
    private static let mayDiffer = Atomic(false)
    private static let chosen = Mutex(Language.english)
    @TaskLocal private static var ofTask: Language?

    /// The language of what a terminal or a window shows; English unless the program has chosen another one.
    package static var shown: Language { shownTranslation ?? .english }

    /// The language that is shown; nil if that is English, so nothing has to be looked up.
    package static var shownTranslation: Language? {
        guard mayDiffer.load(ordering: .relaxed) else { return nil }
        let language = ofTask ?? chosen.withLock { $0 }
        return language == .english ? nil : language
    }

    /// Chooses the language that is shown from now on.
    package static func show(_ language: Language) {
        chosen.withLock { $0 = language }
        if language != .english { mayDiffer.store(true, ordering: .relaxed) }
    }

    /// Does work in which another language is shown, for tests.
    package static func showing<Result>(_ language: Language, _ work: () throws -> Result) rethrows -> Result {
        mayDiffer.store(true, ordering: .relaxed)
        return try $ofTask.withValue(language, operation: work)
    }
}

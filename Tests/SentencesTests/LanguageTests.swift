import Testing

@testable import Sentences

/// The languages of the program, and how one is chosen.
@Suite struct LanguageTests {
    /// A list of languages is untrusted: it is short, or it says nothing.
    @Test(
        arguments: [
            ("", nil), ("en", "en"), ("EN-us,en;q=0.5", "en"), ("tlh, en;q=0.1", "en"), ("tlh", nil),
            ("*", nil),
            ("en;q=0", nil), ("en;q=2", nil), ("en;q=-1", nil), ("en;q=x", nil), ("en;q=nan", nil),
            (";;,,;q=1,-,", nil),
            (String(repeating: "tlh,", count: 31) + "en", "en"), (String(repeating: "tlh,", count: 32) + "en", nil),
            (String(repeating: " ", count: 999) + "en", nil),
        ]
    )
    func theLanguageOfABrowserIsKnown(list: String, tag: String?) {
        #expect(Language.accepted(list)?.tag == tag)
    }

    @Test func theBestLanguageThatThereIsIsTaken() throws {
        for language in Language.all.dropFirst() {
            let tag = language.tag
            #expect(Language.accepted("\(tag.uppercased())-XX, en;q=0.9") == language)
            #expect(Language.accepted("en;q=0.8, tlh, \(tag);q=0.9") == language)
            #expect(Language.accepted("en, \(tag)") == .english)
        }
    }

    @Test func theLanguageOfAProcessIsThatOfItsEnvironment() {
        func language(_ values: [String: String]) -> String { Language.ofEnvironment { values[$0] }.tag }
        #expect(language([:]) == "en" && language(["LANG": "C"]) == "en" && language(["LC_ALL": "POSIX"]) == "en")
        guard let other = Language.all.last?.tag, other != "en" else { return }
        #expect(language(["LANG": "\(other)_XX.UTF-8"]) == other && language(["LANG": other]) == other)
        #expect(language(["LANG": other, "LC_ALL": "C.UTF-8"]) == "en")
        #expect(language(["LANG": "C", "LC_ALL": "", "LC_MESSAGES": "\(other)@x"]) == other)
    }

    /// A screen in two languages is worse than one in English.
    @Test func theTerminalIsSaidInALanguageThatHasMostOfItsSentences() {
        #expect(!Language.english.hasTerminal && !Language("xx") { _ in nil }.hasTerminal)
        #expect(Language("xx") { $0 == "\u{1}" ? "yes" : nil }.hasTerminal)
    }

    /// What every catalogue must have, so that numbers and plurals are right in all sentences.
    @Test func everyLanguageHasItsNameItsMarkAndItsForms() throws {
        #expect(Language.all.first == .english && Set(Language.all.map(\.tag)).count == Language.all.count)
        for language in Language.all.dropFirst() {
            #expect(language.name != "English" && !language.name.isEmpty, "\(language.tag)")
            #expect(language.decimal(1.25, places: 2).count == 4, "\(language.tag)")
            for number in [0, 1, 2, 3, 5, 11, 21, 101, 102, 1_000_001] {
                let words = language(Sentence("\(number, "recorded hike")"))
                #expect(words.contains(String(number)) && !words.contains("recorded"), "\(language.tag): \(words)")
            }
            #expect(language.scriptSentences?.first == UInt8(ascii: "{"))
            #expect(language.scriptSentences?.contains(UInt8(ascii: "<")) == false)
        }
    }
}

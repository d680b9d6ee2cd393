import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands

/// Texts of the terminal are said in the language that the program shows.
@Suite struct TranslatedTextTests {
    private static let language = Language("xx") { key in
        [
            "To see {}: {}": "\u{1}1 zeigt \u{1}0", "{# file} of {}": "\u{1}1: \u{1}0 A\0\u{1}1: \u{1}0 BB",
            "{# tile}": "\u{1}0 K\0\u{1}0 KK",
            "Yes": "Ja", "and {} more": "und \u{1}0 mehr", "map": "Karte",
        ][key]
    }

    private static func sentence() -> DisplayText { "To see \("it"): \("hikeshare show", .command)" }

    @Test func aPlaceKeepsItsStyleWhereTheLanguageHasIt() {
        let text = Language.showing(Self.language) { Self.sentence() }
        #expect(text.string == "hikeshare show zeigt it" && text.english == "To see it: hikeshare show")
        #expect(text.marks.map(\.range) == [0..<14])
        #expect(
            Self.sentence().string == "To see it: hikeshare show" && Self.sentence().marks.map(\.range) == [11..<25]
        )
    }

    @Test(arguments: [(1, "Tal: 1 A", "1 file of Tal"), (2, "Tal: 2 BB", "2 files of Tal")])
    func aNumberOfThingsChoosesTheForm(count: Int, translated: String, english: String) {
        let text: () -> DisplayText = { "\(count, "file") of \("Tal")" }
        #expect(text().string == english && text().english == english)
        let said = Language.showing(Self.language, text)
        #expect(said.string == translated && said.english == english)
    }

    @Test func aNumberOfThingsAloneIsTranslatedToo() {
        let text: () -> DisplayText = { "(\(UInt64(5), "tile"), \(2, "lake"))" }
        #expect(text().string == "(5 tiles, 2 lakes)")
        let said = Language.showing(Self.language, text)
        #expect(said.string == "(5 KK, 2 lakes)" && said.english == "(5 tiles, 2 lakes)")
    }

    @Test func eachLineIsASentenceWithoutTheSpacesAroundIt() {
        let text: () -> DisplayText = { "Yes\n  and \(3) more\n\n\("Yes"): No  \n" }
        let said = Language.showing(Self.language, text)
        // What stands in a place is never translated by this.
        #expect(said.string == "Ja\n  und 3 mehr\n\nYes: No  \n" && said.english == text().string)
    }

    @Test func textsThatAreJoinedKnowTheirEnglishWords() {
        let said = Language.showing(Self.language) { () -> DisplayText in
            let (one, other): (DisplayText, DisplayText) = ("Yes", "No")
            return "\([one, other, "map"].joined(separator: ", ")): \(one.styled(.command))"
        }
        #expect(said.string == "Ja, No, Karte: Ja" && said.english == "Yes, No, map: Yes")
        #expect(said.marks.map(\.range) == [15..<17])
    }

    @Test func aSentenceInATextIsSaidInTheLanguageAndIsEscaped() {
        let sentence = Sentence("To see \("\u{1B}"): \(Sentence("map"))")
        let text: () -> DisplayText = { "\(sentence)!" }
        #expect(text().string == "To see \\u{1b}: map!")
        #expect(Language.showing(Self.language, text).string == "Karte zeigt \\u{1b}!")
    }

    @Test func englishIsShownWithoutAChoice() {
        #expect(Language.shown == .english && Language.shownTranslation == nil)
        #expect(Language.showing(.english) { Language.shownTranslation } == nil)
    }
}

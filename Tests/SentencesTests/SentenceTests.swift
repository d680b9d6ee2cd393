import Foundation
import Testing

@testable import Sentences

/// Sentences are said in English and in other languages.
@Suite struct SentenceTests {
    /// A language with other orders, a decimal comma and three forms of the plural.
    private static let language = Language("xx") { key in
        [
            "": (0..<200).map { $0 == 1 ? "0" : $0 % 10 == 2 ? "1" : "2" }.joined(), "0.5": "0,5",
            "Keep the map": "Behalte", "{} of {}": "\u{1}1: \u{1}0", "about {}": "etwa \u{1}0",
            "{# file} from {}": "\u{1}1: \u{1}0 A\0\u{1}1: \u{1}0 B\0\u{1}1: \u{1}0 C", "{# map}": "\u{1}0 M\0\u{1}0 N",
            "{}, {}": "\u{1}0; \u{1}1", "{} and {}": "\u{1}0 & \u{1}1", "Nothing": "",
        ][key]
    }

    @Test func aSentenceIsSaidInEnglishAndInItsTranslation() {
        let (name, sentence) = ("Keep the map", Sentence("Keep the map"))
        #expect(sentence.english == name && sentence.words(in: Self.language) == "Behalte")
        let both = Sentence("\(name) of \(7)")
        #expect(both.english == "Keep the map of 7")
        // What stands in a place is never translated.
        #expect(both.words(in: Self.language) == "7: Keep the map")
        #expect(Sentence("about \(sentence)").words(in: Self.language) == "etwa Behalte")
        #expect(Self.language(Sentence(known: name)) == "Behalte" && Self.language(Sentence(verbatim: name)) == name)
    }

    @Test func whatIsNotTranslatedStaysEnglishWithTheNumbersOfTheLanguage() {
        let sentence = Sentence("at \(1234.56, places: 1) m and \(2, "map") and \(3, "lake")")
        #expect(sentence.english == "at 1234.6 m and 2 maps and 3 lakes")
        #expect(sentence.words(in: Self.language) == "at 1234,6 m and 2 N and 3 lakes")
    }

    @Test(
        arguments: [
            (1, "x: 1 A", "1 file from x"), (2, "x: 2 B", "2 files from x"), (912, "x: 912 B", "912 files from x"),
        ]
    )
    func theFormFollowsTheNumber(number: Int, translated: String, english: String) {
        let sentence = Sentence("\(number, "file") from \("x")")
        #expect(sentence.words(in: Self.language) == translated && sentence.english == english)
    }

    @Test func aLongSentenceIsASumOfLiterals() {
        let sum: Sentence = "about " + "\(7)"
        #expect(sum.english == "about 7" && sum.words(in: Self.language) == "etwa 7")
        let counted: Sentence = "\(1, "file") " + "from " + "\("x")"
        #expect(counted.words(in: Self.language) == "x: 1 A")
    }

    @Test func listsAreSentences() {
        let things = ["a", "b", "c"].map { Sentence(known: $0) }
        #expect(Sentence.list(things)?.english == "a, b and c" && Sentence.list([])?.english == nil)
        #expect(Sentence.list(things).map { Self.language($0) } == "a; b & c")
        #expect(Sentence.enumeration(things)?.english == "a, b, c")
        #expect(Sentence.sequence(things, between: " · ")?.words(in: Self.language) == "a · b · c")
    }

    @Test(
        arguments: [
            (0.0, "0.00"), (-0.004, "0.00"), (-1.5, "-1.50"), (999.999, "1000.00"), (1e300, "?"), (.nan, "?"),
        ]
    )
    func numbersHaveTheMarkOfTheLanguage(value: Double, english: String) {
        #expect(Language.english.decimal(value, places: 2) == english)
        #expect(Self.language.decimal(value, places: 2) == english.replacing(".", with: ","))
    }

    @Test func aSentenceCanBeKept() throws {
        let sentence = Sentence("\(2, "file") from \("x"), about \(1.5, places: 1) km and \(Sentence("Keep the map"))")
        let read = try JSONDecoder().decode(Sentence.self, from: JSONEncoder().encode(sentence))
        #expect(read == sentence && read.words(in: Self.language) == sentence.words(in: Self.language))
    }
}

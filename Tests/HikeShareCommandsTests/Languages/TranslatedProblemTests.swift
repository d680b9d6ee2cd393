import PeerCore
import RegionSharing
import Sentences
import SharingReports
import SharingWindow
import Testing

@testable import HikeShareCommands

/// Errors are told in the language that the program shows; programs read them in English.
@Suite struct TranslatedProblemTests {
    private static let language = Language("xx") { key in
        [
            "Nothing was sent: no receiver has come within {}.": "Niemand kam in \u{1}0.",
            "To wait longer, use a greater --timeout, or none.": "Mit --timeout länger warten.",
            "Send again to wait longer.": "Noch einmal senden.", "You have no maps yet.": "Keine Karten.",
            "To import maps:": "Karten importieren:", "To import maps:  {}": "Karten importieren:  \u{1}0",
            "The disk is full.": "Die Platte ist voll.", "hikeshare: warning:": "hikeshare: Warnung:",
        ][key]
    }

    @Test func aPersonReadsItsLanguageAndAProgramReadsEnglish() throws {
        let error = SendingError.noReceiver(.seconds(5))
        let english = ProblemReport(error)
        let report = Language.showing(Self.language) { () -> (text: String, window: String, json: String) in
            let report = ProblemReport(error)
            return (report.text.string, report.windowText.string, report.rendered(as: .json))
        }
        #expect(report.text == "hikeshare: Niemand kam in 5 s.\nMit --timeout länger warten.")
        #expect(report.window == "Niemand kam in 5 s.\nNoch einmal senden.")
        #expect(report.json == english.rendered(as: .json) && report.json.contains("no receiver has come within 5 s."))
    }

    @Test func hintsKeepTheirCommandsAndAreEnglishInJSON() {
        let english = ProblemReport(CommandError.noMaps).rendered(as: .json)
        let (text, json) = Language.showing(Self.language) {
            let report = ProblemReport(CommandError.noMaps)
            return (report.text.string, report.rendered(as: .json))
        }
        #expect(text.hasPrefix("hikeshare: Keine Karten.\n  - Karten importieren:  hikeshare import FILE...\n"))
        #expect(json == english)
    }

    @Test func whatALibrarySaysIsLookedUpAsAWhole() {
        let error = PeerError(.localStorage, "The disk is full.")
        let (text, json) = Language.showing(Self.language) {
            let report = ProblemReport(error, severity: .warning)
            return (report.text.string, report.rendered(as: .json))
        }
        #expect(text == "hikeshare: Warnung: Die Platte ist voll.")
        #expect(json.contains("\"The disk is full.\""))
    }

    @Test func aPeerReadsEnglish() {
        let error = CommandError(.declined, "You have no maps yet.")
        #expect(Language.showing(Self.language) { error.reportToPeer } == "You have no maps yet.")
    }

    @Test func aSentenceInJSONIsEnglish() {
        let object: JSONObject = ["type": "x", "message": Sentence("You have no maps yet.")]
        let line = Language.showing(Self.language) { object.line }
        #expect(line == #"{"message":"You have no maps yet.","type":"x"}"#)
    }
}

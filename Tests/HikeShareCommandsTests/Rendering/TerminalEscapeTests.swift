import FoundationEssentials
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct TerminalEscapeTests {
    @Test(
        arguments: [
            ("Coma Pedrosa", "Coma Pedrosa"),
            ("Pic d'Arcalís – 2 776 m", "Pic d'Arcalís – 2 776 m"),
            ("日本アルプス", "日本アルプス"),
            ("نزهة", "نزهة"),
            ("a\nb", "a\\u{a}b"),
            ("a\r\nb", "a\\u{d}\\u{a}b"),
            ("\u{0}", "\\u{0}"),
            ("\u{7}\u{8}\u{7F}", "\\u{7}\\u{8}\\u{7f}"),
            // CSI: colours, cursor movements; in seven bits and in one C1 character.
            ("\u{1B}[31mred", "\\u{1b}[31mred"),
            ("\u{9B}2J", "\\u{9b}2J"),
            // OSC: title, hyperlink, clipboard; ended by BEL or ST.
            ("\u{1B}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1B}]8;;http://x\u{1B}\\", "\\u{1b}]8;;http://x\\u{1b}\\"),
            ("\u{9D}52;c;AAAA\u{9C}", "\\u{9d}52;c;AAAA\\u{9c}"),
            // DCS, APC, PM, SOS.
            ("\u{1B}P\u{90}\u{9F}\u{9E}\u{98}", "\\u{1b}P\\u{90}\\u{9f}\\u{9e}\\u{98}"),
            // Directions of writing.
            ("a\u{202E}gpx.exe", "a\\u{202e}gpx.exe"),
            ("\u{202A}\u{202B}\u{202C}\u{202D}", "\\u{202a}\\u{202b}\\u{202c}\\u{202d}"),
            ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
            ("\u{200E}\u{200F}\u{61C}", "\\u{200e}\\u{200f}\\u{61c}"),
            // Invisible.
            ("a\u{200B}b\u{200C}c\u{2060}d\u{FEFF}e", "a\\u{200b}b\\u{200c}c\\u{2060}d\\u{feff}e"),
            ("a\u{200D}b", "a\\u{200d}b"),
            ("\u{AD}\u{115F}\u{3164}", "\\u{ad}\\u{115f}\\u{3164}"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("\u{E0041}", "\\u{e0041}"),
            // For fonts, or not known.
            ("\u{E000}\u{FFFF}", "\\u{e000}\\u{ffff}"),
            // Emoji survive, with what joins and colours them.
            ("🏔️ Hut", "🏔️ Hut"),
            ("👩‍👩‍👧", "👩‍👩‍👧"),
            ("👍🏽", "👍🏽"),
        ]
    )
    func showsWhatIsDangerous(text: String, shown: String) {
        #expect(TerminalEscape.escape(text) == shown)
    }

    @Test func leavesNoControlInAnyText() {
        for value in UInt32(0)...0x2FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let escaped = TerminalEscape.escape("x\(Character(scalar))y")
            #expect(!escaped.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test func staysTheSameJSON() throws {
        let name = "a\u{202E}b\u{9B}c\u{E0041}d\"\n"
        let line = (["name": name] as JSONObject).line
        #expect(line.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
        #expect(try fields(line) == ["name": .text(name)])
    }
}

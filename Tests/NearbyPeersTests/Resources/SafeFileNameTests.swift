import Foundation
import PeerTestSupport
import Testing

@testable import NearbyPeers

@Suite struct SafeFileNameTests {
    private static let names: [(offered: String, safe: String)] = [
        ("Tour.gpx", "Tour.gpx"),
        ("Höhenweg Süd, Tag 1.gpx", "Höhenweg Süd, Tag 1.gpx"),
        ("富士山.gpx", "富士山.gpx"),
        ("می‌خواهم.gpx", "می‌خواهم.gpx"),
        ("archive.tar.gz", "archive.tar.gz"),
        ("No extension", "No extension"),
        ("\u{2764}\u{FE0F}.gpx", "\u{2764}\u{FE0F}.gpx"),
        // Nothing that is left.
        ("", "Unnamed"),
        (".", "Unnamed"),
        ("..", "Unnamed"),
        ("/", "Unnamed"),
        (" \t\n", "Unnamed"),
        ("\u{202E}\u{200B}", "Unnamed"),
        // Other folders.
        ("../../etc/passwd", "etc-passwd"),
        ("/etc/passwd", "etc-passwd"),
        ("a/b.gpx", "a-b.gpx"),
        ("a/../b.gpx", "a-..-b.gpx"),
        ("C:\\Windows\\x.dll", "C--Windows-x.dll"),
        // Hidden files and options.
        (".bashrc", "bashrc"),
        ("...x", "x"),
        ("\u{200B}.ssh", "ssh"),
        ("\u{FEFF}.ssh", "ssh"),
        ("\u{3164}.ssh", "ssh"),
        ("\u{FE0F}.ssh", "ssh"),
        ("\u{200D}.ssh", "ssh"),
        (".\u{301}x", "\u{301}x"),
        ("-rf", "rf"),
        (" - x", "x"),
        // What is not seen, or seen elsewhere.
        ("a\u{0}b", "ab"),
        ("a\u{7}\u{1B}[31mb", "a[31mb"),
        ("one\ntwo\rthree\u{2028}four", "one two three four"),
        ("photo\u{202E}gpj.exe", "photogpj.exe"),
        ("a\u{AD}b\u{E0041}c\u{E01EF}d", "abcd"),
        ("photo\u{2066}gpj\u{2069}.exe", "photogpj.exe"),
        // What memory cards do not take.
        ("why?.gpx", "why-.gpx"),
        ("12:30 <start>.gpx", "12-30 -start-.gpx"),
        ("end.", "end"),
        ("end. . ", "end"),
        ("end .gpx", "end.gpx"),
    ]

    @Test(arguments: names) func aNameIsMadeSafe(offered: String, safe: String) {
        #expect(SafeFileName(offered).text == safe)
    }

    /// Names with more bytes than a name may have.
    private static let longNames = [
        String(repeating: "a", count: 300) + ".gpx",
        String(repeating: "é", count: 150) + ".gpx",
        String(repeating: "山", count: 100) + ".gpx",
        String(repeating: "👨‍👩‍👧", count: 20) + ".gpx",
        "e" + String(repeating: "\u{301}", count: 500) + ".gpx",
        String(repeating: "a ", count: 200) + ".gpx",
    ]

    @Test(arguments: longNames, [1, 2, 10_000]) func aLongNameIsShortenedAndKeepsItsExtension(
        offered: String,
        number: Int
    ) {
        let name = SafeFileName(offered).numbered(number)
        #expect(name.utf8.count <= SafeFileName.maximumLength)
        #expect(name.hasSuffix(number == 1 ? ".gpx" : " (\(number)).gpx"))
        #expect(name.utf8.count > 100)
        // Nothing was cut in the middle of a character, unless it has more bytes than a name.
        let stem = name.dropLast(number == 1 ? 4 : " (\(number)).gpx".count)
        let isOneCharacter = offered.first.map { $0.utf8.count > SafeFileName.maximumLength } == true
        #expect(isOneCharacter ? offered.unicodeScalars.starts(with: stem.unicodeScalars) : offered.hasPrefix(stem))
    }

    @Test func whatFollowsADotIsNotAlwaysAnExtension() {
        let long = "Notes." + String(repeating: "b", count: 300)
        #expect(SafeFileName(long).text == "Notes." + String(repeating: "b", count: 194))
        #expect(SafeFileName("Mt. Blanc").numbered(2) == "Mt. Blanc (2)")
    }

    @Test func numbersStandBeforeTheExtension() {
        #expect(SafeFileName("Tour.gpx").numbered(2) == "Tour (2).gpx")
        #expect(SafeFileName("Tour").numbered(3) == "Tour (3)")
        #expect(SafeFileName("").numbered(2) == "Unnamed (2)")
    }

    @Test func anyTextMakesANameThatAFolderTakes() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            var generator = SeededGenerator(seed: 8)
            let scalars: [Unicode.Scalar] = [
                "a", ".", "/", "\\", "-", " ", "\u{0}", "\n", "\u{202E}", "\u{200D}", "é", "\u{301}", "👨", "\u{10FFFF}",
            ]
            for _ in 0..<300 {
                let count = Int.random(in: 0..<250, using: &generator)
                let offered = String(
                    String.UnicodeScalarView((0..<count).compactMap { _ in scalars.randomElement(using: &generator) })
                )
                let name = SafeFileName(offered).numbered(Int.random(in: 1...99, using: &generator))
                #expect(
                    name.utf8.count <= 200 && !name.hasPrefix(".") && !name.contains("/"),
                    "\(offered.debugDescription)"
                )
                #expect(FileManager.default.createFile(atPath: directory.path(name), contents: nil))
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: directory.path).map { Array($0.utf8) } == [
                        Array(name.utf8)
                    ]
                )
                try FileManager.default.removeItem(atPath: directory.path(name))
            }
        }
    }
}

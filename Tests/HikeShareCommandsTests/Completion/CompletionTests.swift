import ArgumentParser
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import RegionStore

@Suite struct CompletionTests {
    @Test(
        arguments: [
            (["hikeshare", "send", ""], nil),
            (["hikeshare", "send", "--store", "/s", ""], "/s"),
            (["hikeshare", "send", "--store=/s", ""], "/s"),
            (["hikeshare", "send", "--store", "=", "/s", ""], "/s"),
            (["hikeshare", "send", "--store", "/a", "--store", "/b", ""], "/b"),
            (["hikeshare", "send", "--store", #"/my\ maps"#, ""], "/my maps"),
            (["hikeshare", "send", "--store", #""/my maps""#, ""], "/my maps"),
            (["hikeshare", "send", "--store", #"'/a"b\c'"#, ""], #"/a"b\c"#),
            (["hikeshare", "send", "--store", "~/maps", ""], "/home/anna/maps"),
            (["hikeshare", "send", "--store", "~", ""], "/home/anna"),
            (["hikeshare", "send", "--store", "'~/maps'", ""], "~/maps"),
            (["hikeshare", "send", "--store"], nil),
            (["hikeshare", "send", "--store", ""], nil),
        ] as [([String], String?)]
    )
    func findsTheStoreInTheLine(words: [String], store: String?) {
        #expect(CompletionLine(words, home: "/home/anna").store == store)
    }

    @Test(
        arguments: [
            (["hikeshare", "send", "Coma", "Pe", "--route", ""], "Coma Pe"),
            (["hikeshare", "send", #"Coma\ Pe"#, "--only", "map", "--route", ""], "Coma Pe"),
            (["hikeshare", "--store", "/s", "rename", "'Coma Pe'", "--hike", ""], "Coma Pe"),
            (["hikeshare", "plan", "Coma", "--from", "Hut", "--to", ""], "Coma"),
            (["hikeshare", "remove", "alps", "--waypoint=", ""], "alps"),
            (["hikeshare", "import", "a.jpg", "--region", #""Coma Pe""#, "--waypoint", ""], "Coma Pe"),
            (["hikeshare", "import", "a.jpg", "--region", "=", "alps", "--waypoint", ""], "alps"),
            (["hikeshare", "import", "a.jpg", "--waypoint", ""], nil),
            (["hikeshare", "send", "--route", ""], nil),
            (["hikeshare", "send"], nil),
            (["hikeshare"], nil),
            ([], nil),
        ] as [([String], String?)]
    )
    func findsTheRegionInTheLine(words: [String], region: String?) {
        #expect(CompletionLine(words).region == region)
    }

    @Test func readsAWord() {
        let line = CompletionLine(["hikeshare", #"Coma\ Pe"#, "'Coma P", ""])
        #expect(line.word(at: 1) == "Coma Pe")
        #expect(line.word(at: 2) == "Coma P")
        #expect(line.word(at: 3) == "")
        #expect(line.word(at: 4) == nil)
        #expect(line.word(at: -1) == nil)
    }

    @Test(
        arguments: [
            ("", ["map", "foreign", "routing", "hikes", "planned", "waypoints", "photos"]),
            ("wa", ["waypoints"]),
            ("MA", ["map"]),
            ("map,p", ["map,planned", "map,photos"]),
            ("map,map", []),
            (
                "photos,hikes,",
                [
                    "photos,hikes,map", "photos,hikes,foreign", "photos,hikes,routing", "photos,hikes,planned",
                    "photos,hikes,waypoints",
                ]
            ),
            ("x", []),
        ] as [(String, [String])]
    )
    func completesTheLastKind(text: String, completions: [String]) {
        #expect(KindSelection.completions(of: text) == completions)
        for completion in completions { #expect(KindSelection(argument: completion) != nil) }
    }

    @Test(arguments: [
        "Coma Pedrosa", "Nordkette", "Pla de l'Estany", "Tatry (Zakopane)", "Öræfi", "Алтай", "谷川岳",
        "St. Anton, 1:1".filter { $0 != ":" },
        "Rax & Schneeberg", "e\u{301}tape", "हिमालय",
    ])
    func offersPlainNames(name: String) {
        let names = CompletionNames([StoreNames.Entry(name: name, id: "52C93677-A1E3")])
        #expect(names.words(for: .zsh) == [name])
        #expect(names.words(for: .fish) == [name])
        #expect(names.words(for: nil) == [name])
    }

    @Test(arguments: [
        "$(touch pwned)", "`touch pwned`", "$HOME", "a\"b", #"a\b"#, "a*", "a?", "[a]", "{a,b}", "~anna",
        "<(touch pwned)", "a;b", "a|b",
        "a!b", "#a", "a=b", "a:b", "-rf", "--yes", " a", "a ", "", " ", "a\nb", "a\tb", "a\u{7}", "a\u{202E}b",
        "a\u{200D}b",
        "a\u{200B}", "a/b", "\u{34F}", "😀", "'a", "%a", "^a", "@a", "+a",
    ])
    func offersTheIDForOtherNames(name: String) {
        let names = CompletionNames([StoreNames.Entry(name: name, id: "52C93677-A1E3")])
        for shell: CompletionShell? in [.bash, .zsh, .fish, nil] { #expect(names.words(for: shell) == ["52C93677"]) }
    }

    @Test func offersTheIDsOfNamesThatAreNotUnique() {
        let entries = [("Alps", "AAAAAAAA-1"), ("alps", "BBBBBBBB-2"), ("Tatra", "CCCCCCCC-3")]
        let names = CompletionNames(entries.map { StoreNames.Entry(name: $0.0, id: $0.1) })
        #expect(names.words(for: .bash) == ["AAAAAAAA", "BBBBBBBB", "Tatra"])
    }

    @Test func escapesApostrophesForBash() {
        let names = CompletionNames([StoreNames.Entry(name: "Pla de l'Estany d'Ús", id: "1")])
        #expect(names.words(for: .bash) == [#"Pla de l\'Estany d\'Ús"#])
    }
}

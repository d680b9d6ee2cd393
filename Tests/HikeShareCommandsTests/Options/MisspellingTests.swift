import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct MisspellingTests {
    private func find(_ line: String) -> CommandError? {
        Misspelling.find(in: CommandArguments.globalOptionsLast(line.split(separator: " ").map(String.init)))
    }

    @Test(
        arguments: [
            ("lst", "There is no command “lst”.", "list"),
            ("recieve --yes", "There is no command “recieve”.", "receive"),
            ("--store /s snd alps", "There is no command “snd”.", "send"),
            ("Import a.gpx", "There is no command “Import”.", "import"),
            ("peers trsut 67cf", "There is no command “peers trsut”.", "trust"),
            ("help exprot", "There is no command “exprot”.", "export"),
            ("receive --encrypton none", "There is no option “--encrypton”.", "--encryption"),
            ("send alps --onyl map", "There is no option “--onyl”.", "--only"),
            ("list --fromat=json", "There is no option “--fromat”.", "--format"),
            ("--colour never list", "There is no option “--colour”.", "--color"),
            ("peers rename Anna Berta --quite", "There is no option “--quite”.", "--quiet"),
        ]
    )
    func suggestsWhatMayHaveBeenMeant(line: String, message: String, guess: String) throws {
        let error = try #require(find(line))
        #expect(error.message.english == message)
        #expect(
            error.remedy?.typed.hasPrefix("Did you mean “\(guess)”? 'hikeshare help") == true,
            "\(error.remedy?.typed ?? "")"
        )
        #expect(Status(error) == .usage)
    }

    @Test(arguments: ["frobnicate", "list --frobnicate"]) func doesNotGuessWildly(line: String) throws {
        #expect(try #require(find(line)).remedy?.typed.contains("Did you mean") == false)
    }

    @Test(
        arguments: [
            "list", "list -v --format json", "send alps --port 0", "peers", "receive --timeout x", "export alps --to",
            "import -- --odd.gpx", "send alps --only=tiles", "--help", "help", "remove alps --with-routes", "",
        ]
    )
    func saysNothingAboutWhatExists(line: String) {
        #expect(find(line) == nil)
    }

    @Test(
        arguments: [
            ("", "", 0), ("list", "list", 0), ("lst", "list", 1), ("recieve", "receive", 1), ("abc", "", 3),
            ("kitten", "sitting", 3),
        ]
    )
    func countsChanges(left: String, right: String, count: Int) {
        #expect(Misspelling.distance(left, right) == count)
        #expect(Misspelling.distance(right, left) == count)
    }
}

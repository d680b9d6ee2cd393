import RegionStore
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct StoreLocationTests {
    @Test(
        arguments: [
            ("/given", ["HIKESHARE_STORE": "/env", "HOME": "/h"], "/given"),
            ("", ["HIKESHARE_STORE": "/env", "HOME": "/h"], "/env"),
            ("", ["XDG_DATA_HOME": "/data", "HOME": "/h"], "/data/hikeshare"),
            ("", ["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/hikeshare"),
            ("", ["HIKESHARE_STORE": "", "HOME": "/h"], "/h/.local/share/hikeshare"),
        ] as [(String, [String: String], String)]
    )
    func findsTheStore(given: String, environment: [String: String], path: String) throws {
        #expect(try StoreLocation.path(given: given.isEmpty ? nil : given, environment: environment) == path)
    }

    @Test func tellsWhetherTheStoreWasNamed() throws {
        for (given, variable, isNamed) in [("/a", nil, true), (nil, "/b", true), (nil, "", false), (nil, nil, false)] {
            let environment = ["HOME": "/h", "HIKESHARE_STORE": variable].compactMapValues { $0 }
            #expect(try StoreLocation(given: given, environment: environment).isNamed == isNamed)
        }
    }

    @Test(arguments: [
        (["waypoint", "add", "x", "-33.9,18.4", "y"], ["waypoint", "add", "x", " -33.9,18.4", "y"]),
        (["waypoint", "add", "x", "33.9,-18.4", "-v"], ["waypoint", "add", "x", "33.9,-18.4", "-v"]),
        (["waypoint", "add", "x", "-33.9,", "-18.4", "y"], ["waypoint", "add", "x", " -33.9,", " -18.4", "y"]),
        (["export", "--area", "-1.5,42,-1,43"], ["export", "--area", " -1.5,42,-1,43"]),
        (["-1,999", "-1", "-a,1", "-q"], ["-1,999", "-1", "-a,1", "-q"]),
    ])
    func marksPositionsThatLookLikeOptions(arguments: [String], marked: [String]) {
        #expect(CommandArguments.markingPositions(arguments) == marked)
    }

    @Test(arguments: [
        "", ",", "1", "1,2,3", "91,0", "0,181", "nan,0", "N,E", "42°34.7N", "42°61N 1°E", "1,2 3", "N N", "42N 1N",
        "1 2 3 4N 1E",
    ])
    func refusesWhatIsNoPosition(text: String) {
        #expect(Coordinate(text: text) == nil)
    }

    /// As maps on the web and GPS receivers print positions.
    @Test(arguments: [
        "42.5783333, 1.4483333", "42°34.7N 1°26.9E", "42° 34' 42\" N, 1° 26' 54\" E", "N 42° 34.7 E 001° 26.9",
        "42.5783333N 1.4483333E",
    ])
    func readsPositionsAsProgramsPrintThem(text: String) throws {
        let position = try #require(Coordinate(text: text))
        #expect(abs(position.latitude - 42.5783333) < 1e-6 && abs(position.longitude - 1.4483333) < 1e-6)
        let south = try #require(Coordinate(text: "33°54'S 18°24'W"))
        #expect(south.latitude == -33.9 && south.longitude == -18.4)
    }

    @Test func saysWhenThereIsNoPlace() {
        for (home, words) in [(nil, "HOME is not set"), ("", "HOME is not set"), ("h", "HOME is no absolute path")] {
            let error = #expect(throws: CommandError.self) {
                try StoreLocation.path(given: nil, environment: ["HOME": home].compactMapValues { $0 })
            }
            #expect(error?.message.contains(words) == true)
        }
    }

    @Test(
        arguments: [
            (["list", "-q"], ["list", "-q"]),
            (["-q", "list"], ["list", "-q"]),
            (["--store", "/s", "send", "x"], ["send", "--store", "/s", "x"]),
            (["--store=/s", "-v", "send", "x"], ["send", "--store=/s", "-v", "x"]),
            (["--version"], ["--version"]),
            (["--store", "/s", "--version"], ["--version"]),
            (["--store", "/s", "help", "list"], ["help", "list"]),
            (["-q"], ["-q"]),
            (["--store"], ["--store"]),
            ([], []),
        ] as [([String], [String])]
    )
    func movesGlobalOptionsBehindTheCommand(arguments: [String], moved: [String]) {
        #expect(CommandArguments.globalOptionsLast(arguments) == moved)
    }

    @Test(
        arguments: [
            ([], true), (["-q"], true), (["--store", "/s", "--format=json", "-vv"], true), (["list", "-q"], false),
            (["-q", "list"], false), (["--store"], false), (["--help"], false),
        ] as [([String], Bool)]
    )
    func tellsWhetherThereIsACommand(arguments: [String], isAlone: Bool) {
        #expect(CommandArguments.haveNoCommand(arguments) == isAlone)
    }

    @Test(arguments: [
        (["receive", "--timeout", "-1"], ["receive", "--timeout=-1"]),
        (["receive", "--timeout", "1", "-1"], ["receive", "--timeout", "1", "-1"]),
        (["x", "--a=1", "-1", "--", "-1", "-q"], ["x", "--a=1", "-1", "--", "-1", "-q"]),
        (["x", "--area", "-1,2,3,4", "-v"], ["x", "--area", "-1,2,3,4", "-v"]),
    ])
    func joinsOptionsAndNegativeNumbers(arguments: [String], joined: [String]) {
        #expect(CommandArguments.joiningNegativeNumbers(arguments) == joined)
    }

    @Test(arguments: [
        (["list", "--store", ""], "The text after --store is empty."),
        (["list", "--store="], "The text after --store is empty."),
        (["remove", ""], "An argument is empty."), (["remove", "--", ""], "An argument is empty."),
        (["import", "-"], "“-” is no file"), (["export", "x", "--html=-"], "“-” is no file"),
    ])
    func refusesWhatStandsForNothing(arguments: [String], words: String) {
        #expect(ArgumentFaults.find(in: arguments)?.message.hasPrefix(words) == true)
        #expect(ArgumentFaults.find(in: arguments)?.code == .usage)
    }

    @Test(arguments: [
        ["waypoint", "add", "x", "1,2", "y", "--note", ""], ["rename", "x", "-"], ["import", "./-"], ["send"], [],
        ["waypoint", "add", "x", "1,2", "y", "--note", "-"], ["import", "a", "--name", "-"],
    ])
    func takesWhatStandsForSomething(arguments: [String]) {
        #expect(ArgumentFaults.find(in: arguments) == nil)
    }

    @Test(
        arguments: [
            (["list", "--format", "json"], .json), (["list", "--format=json"], .json), (["list"], .text),
            (["list", "--format"], .text), (["import", "--", "--format=json"], .text),
        ] as [([String], OutputFormat)]
    )
    func tellsTheFormatForErrorsOfTheParser(arguments: [String], format: OutputFormat) {
        #expect(CommandArguments.format(arguments) == format)
    }
}

import ArgumentParser
import RegionStore
import SharingReports
import Testing

@testable import HikeShareCommands

/// The options of what phones get that have LocalSend.
@Suite struct SendPhoneOptionsTests {
    private static func parse(_ arguments: String...) throws -> SendCommand {
        try SendCommand.parse(["alps"] + arguments)
    }

    @Test func phonesAreNamed() throws {
        let plain = try Self.parse()
        #expect(plain.phones.phone.isEmpty && plain.phones.kind == nil && plain.phones.phonePin == nil)
        #expect(!plain.hasNoLocalSend)
        let command = try Self.parse("--phone", "Anna's phone", "--phone", "Ben", "--as", "osmand", "--phone-pin", "42")
        #expect(command.phones.phone == ["Anna's phone", "Ben"] && command.phones.kind?.kind == .sqlitedb)
        #expect(command.phones.phonePin == "42")
        #expect(try Self.parse("--phone", "Ben", "--once", "--timeout", "9", "--yes").once)
        #expect(try Self.parse("--web", "--phone", "Ben", "--web-personal").web.webPersonal)
        #expect(try Self.parse("--phone", "Ben", "--web-personal").web.webPersonal)
    }

    @Test(
        arguments: [
            ("html", .html), ("osmand", .sqlitedb), ("mbtiles", .mbtiles), ("gpx", .gpx), ("pdf", .pdf), ("PDF", .pdf),
            ("zip", nil), ("sqlitedb", nil), ("foreign", nil), ("", nil),
        ] as [(String, DownloadKind?)]
    )
    func kindsAreNamedAsPeopleSay(word: String, kind: DownloadKind?) {
        #expect(PhoneFileKind(argument: word)?.kind == kind)
        #expect(PhoneFileKind.words.contains(word.lowercased()) == (kind != nil))
    }

    @Test func whatTellsStrangersSomethingIsOff() throws {
        for option in ["--no-localsend", "--private", "--no-discovery"] {
            #expect(try Self.parse(option).hasNoLocalSend)
        }
    }

    @Test(
        arguments: [
            ["--phone", "Ben", "--no-localsend"], ["--phone", "Ben", "--private"], ["--as", "gpx", "--no-discovery"],
            ["--phone-pin", "1"], ["--phone", "Ben", "--phone-pin", ""], ["--phone", " "], ["--as", "zip"],
            ["--phone", "Ben", "--phone-pin", String(repeating: "1", count: 65)],
            ["--stick", "/media/stick", "--phone", "Ben"], ["--stick", "/media/stick", "--as", "gpx"],
            ["--web-personal"], ["--web", "--once", "--phone", "Ben"], ["--web-port", "1"],
        ]
    )
    func whatDoesNotGoTogetherIsRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try SendCommand.parse(["alps"] + arguments) }
    }
}

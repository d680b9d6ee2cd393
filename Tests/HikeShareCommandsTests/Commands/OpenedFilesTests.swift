import Foundation
import PeerTestSupport
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct OpenedFilesTests {
    /// Makes files in a folder, whose path needs no percent signs.
    private static func with(_ names: [String], _ body: (TemporaryDirectory) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            for name in names { try Data().write(to: URL(filePath: directory.path(name))) }
            try body(directory)
        }
    }

    @Test func theAddressHasWholePathsAndNothingThatMeansSomethingInIt() async throws {
        let names = ["a b&add=c#d?%+.gpx", "Überschreitung\n.fit", "-x.kml"]
        try await Self.with(names) { directory in
            let folder = directory.path
            let given = [names[0], directory.path(names[1]), "./" + names[2]]
            let opened = try OpenedFiles(given, in: folder)
            #expect(
                opened.fragment
                    == "#add=\(folder)/a%20b%26add%3Dc%23d%3F%25%2B.gpx&add=\(folder)/%C3%9Cberschreitung%0A.fit"
                    + "&add=\(folder)/./-x.kml"
            )
        }
    }

    @Test func withoutFilesTheAddressHasNothing() throws {
        #expect(try OpenedFiles([], in: "/").fragment.isEmpty)
    }

    @Test func aLinkStaysALink() async throws {
        try await Self.with(["a.gpx"]) { directory in
            let link = directory.path("link.gpx")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path("a.gpx"))
            #expect(try OpenedFiles([link], in: "/").fragment == "#add=" + link)
        }
    }

    @Test(arguments: ["missing.gpx", ""]) func aFileThatIsNotThereIsNotFound(path: String) throws {
        let error = #expect(throws: CommandError.self) { try OpenedFiles([path], in: "/nowhere") }
        #expect(error?.code == .notFound)
    }

    @Test func aNameThatIsNotUTF8IsAnError() throws {
        let bytes = Array("/tmp/\u{1}.gpx".utf8).map { CChar(bitPattern: $0 == 1 ? 0xFF : $0) }
        let path = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let error = #expect(throws: CommandError.self) { try OpenedFiles([path], arguments: [bytes], in: "/") }
        #expect(error?.code == .unknownFile && error?.message.contains("is not UTF-8") == true)
    }

    /// The page sends the paths as JSON, in which a byte becomes at most six.
    @Test func moreThanTheProgramTakesIsAnError() async throws {
        try await Self.with(["\u{1}"]) { directory in
            let path = directory.path("\u{1}")
            let most = try OpenedFiles(Array(repeating: path, count: 100), in: "/")
            #expect(most.fragment.split(separator: "&").count == 100)
            let long = directory.path + String(repeating: "/.", count: 60)
            for paths in [Array(repeating: path, count: 101), Array(repeating: long, count: 90)] {
                let error = #expect(throws: CommandError.self) { try OpenedFiles(paths, in: "/") }
                #expect(error?.code == .usage)
            }
        }
    }
}

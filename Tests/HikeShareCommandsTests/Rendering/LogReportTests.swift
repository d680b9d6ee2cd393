import ArgumentParser
import Foundation
import Logging
import PeerTestSupport
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct LogReportTests {
    private static func report(_ metadata: [String: String]) -> LogReport {
        LogReport(
            time: Date(timeIntervalSince1970: 1_795_421_702.1174),
            level: .debug,
            label: "sender",
            message: "state changed",
            metadata: metadata
        )
    }

    @Test func aLineHasTimeLevelPartMessageAndDetails() throws {
        let report = Self.report(["to": "offering", "address": "[fe80::1%eth0]:4711", "connection": "1"])
        #expect(
            report.rendered(as: .text)
                == "2026-11-23T08:15:02.117Z debug sender: state changed address=[fe80::1%eth0]:4711 connection=1 to=offering\n"
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("log"))
        #expect(line["time"] == .text("2026-11-23T08:15:02.117Z"))
        #expect(line["level"] == .text("debug"))
        #expect(line["part"] == .text("sender"))
        #expect(line["message"] == .text("state changed"))
        guard case .object(let details) = line["details"] else {
            Issue.record("there are no details")
            return
        }
        #expect(details["to"] == .text("offering"))
    }

    @Test(arguments: [
        ("Merry Dipper", "“Merry Dipper”"), ("", "“”"), ("a=b", "“a=b”"),
        (
            "x\n2026-11-23T08:15:02.117Z debug sender: state changed",
            "“x 2026-11-23T08:15:02.117Z debug sender: state changed”"
        ),
        ("\u{1B}[2J\u{202E}evil”", "“\\u{1b}[2J\\u{202e}evil'”"), ("Größe", "“Größe”"),
        ("plain-word_1.2/3", "plain-word_1.2/3"),
    ])
    func whatOthersSayStaysOneValue(value: String, written: String) {
        let line = Self.report(["name": value]).rendered(as: .text)
        #expect(line == "2026-11-23T08:15:02.117Z debug sender: state changed name=\(written)\n")
    }

    @Test func theHandlerWritesWhatItsLevelAllows() {
        let lines = Locked<[String]>([])
        var logger = Logger(label: "hikeshare.sender") { label in
            LineLogHandler(label: label, level: .debug, format: .text) { line in lines.withLock { $0.append(line) } }
        }
        logger[metadataKey: "connection"] = "1"
        logger.trace("no")
        logger.debug("one", metadata: ["a": "b"])
        logger.warning("two", metadata: ["connection": "2"])
        let written = lines.value.map { $0.drop { $0 != " " } }
        #expect(written == [" debug sender: one a=b connection=1\n", " warning sender: two connection=2\n"])
    }

    @Test(
        arguments: [([], .warning), (["-v"], .debug), (["-vv"], .trace), (["-v", "-v", "-v"], .trace)]
            as [([String], Logger.Level)]
    )
    func theOptionChoosesTheLevel(arguments: [String], level: Logger.Level) throws {
        let command = try HikeShare.parseAsRoot(["list"] + arguments) as? any GlobalCommand
        #expect(command?.global.logLevel == level)
    }
}

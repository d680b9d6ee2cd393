import ArgumentParser
import NetworkManager
import RegionSharing
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

@Suite struct ExitStatusTests {
    @Test(
        arguments: [
            (.discoveryUnavailable, .noDiscovery), (.noPeerFound, .notFound), (.cannotListen, .failure),
            (.cannotConnect, .notFound), (.connectionLost, .connectionLost), (.timedOut, .connectionLost),
            (.declined, .refused), (.notTrusted, .refused), (.encryptionMismatch, .refused),
            (.protocolViolation, .protocolViolated), (.verificationFailed, .protocolViolated),
            (.unsupportedVersion, .protocolViolated), (.cancelled, .interrupted), (.peerCancelled, .refused),
            (.peerFailed, .failure), (.localStorage, .storage), (.identity, .storage), (.invalidArgument, .usage),
        ] as [(PeerError.Code, Status)]
    )
    func sortsErrorsOfPeers(code: PeerError.Code, status: Status) {
        #expect(Status(PeerError(code, "x")) == status)
    }

    @Test(
        arguments: [
            (.invalidFile, .badInput), (.ambiguous, .badInput), (.notFound, .notFound), (.storage, .storage),
            (.conflict, .storage), (.invalidArgument, .usage), (.refused, .protocolViolated),
        ] as [(RegionStoreError.Code, Status)]
    )
    func sortsErrorsOfTheStore(code: RegionStoreError.Code, status: Status) {
        #expect(Status(RegionStoreError(code, "x")) == status)
    }

    @Test(
        arguments: [
            (.noTerminal, .usage), (.usage, .usage), (.unknownFile, .badInput), (.ambiguous, .badInput),
            (.notFound, .notFound), (.noPeerFound, .notFound), (.declined, .refused), (.notTrusted, .refused),
            (.interrupted, .interrupted), (.storage, .storage), (.output, .storage), (.openFiles, .failure),
            (.port, .failure),
        ] as [(CommandError.Code, Status)]
    )
    func sortsErrorsOfCommands(code: CommandError.Code, status: Status) {
        #expect(Status(CommandError(code, "x")) == status)
    }

    @Test func sortsErrorsOfWiFi() {
        for code in NetworkManagerError.Code.allCases {
            let expected: Status =
                switch code {
                case .notFound: .notFound
                case .wrongPassword: .refused
                case .ended, .timedOut: .connectionLost
                default: .failure
                }
            #expect(Status(NetworkManagerError(code, "x")) == expected)
        }
    }

    @Test func tellsErrorsOfWiFiInJSON() throws {
        let error = NetworkManagerError(.noWiFi, "This machine has no Wi-Fi card.", remedy: "Use a cable.")
        let line = try fields(ProblemReport(error).rendered(as: .json))
        #expect(line["code"] == .text("noWiFi") && line["exitCode"] == .number(1))
        #expect(line["message"] == .text("This machine has no Wi-Fi card."))
        #expect(line["remedy"] == .text("Use a cable."))
    }

    @Test func sortsOtherErrors() {
        struct Unknown: Error {}
        #expect(Status(Unknown()) == .failure)
        #expect(Status(CancellationError()) == .interrupted)
        #expect(Status(ProtocolError(.invalidManifest, "x")) == .protocolViolated)
    }

    @Test(
        arguments: [
            (["--help"], .success), (["--version"], .success), (["send", "--help"], .success),
            (["help", "receive"], .success), (["nonsense"], .usage), (["list", "--nonsense"], .usage),
            (["rename", "x"], .usage), (["export", "x"], .usage),
        ] as [([String], Status)]
    )
    func sortsWhatTheParserSays(arguments: [String], status: Status) {
        #expect(throws: (any Error).self) {
            do {
                var command = try HikeShare.parseAsRoot(arguments)
                try command.run()
            } catch {
                #expect(Status(ending: error) == status)
                throw error
            }
        }
    }

    @Test func hasTheNumbersOfTheCommandReference() {
        #expect(Status.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 64, 130])
    }

    @Test func tellsErrorsInWordsAndInJSON() throws {
        let error = PeerError(.declined, "The other side reports: \u{1B}[2Jno", remedy: "Ask\nthem.")
        let report = ProblemReport(error)
        #expect(report.rendered(as: .text) == "hikeshare: The other side reports: \\u{1b}[2Jno\nAsk\\u{a}them.\n")
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("error"))
        #expect(line["code"] == .text("declined"))
        #expect(line["message"] == .text("The other side reports: \u{1B}[2Jno"))
        #expect(line["remedy"] == .text("Ask\nthem."))
        #expect(line["exitCode"] == .number(5))
    }

    @Test func tellsWarningsWithoutAnExitCode() throws {
        let report = ProblemReport(PeerError(.discoveryUnavailable, "No Avahi."), severity: .warning)
        #expect(report.text.string.hasPrefix("hikeshare: warning: No Avahi.\n  - The share link that "))
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("warning"))
        #expect(line["exitCode"] == nil)
    }

    @Test func listsWhatToCheck() throws {
        let error = FindingError.noSender(SenderSearch(timeout: .seconds(10)), others: [])
        let report = ProblemReport(error)
        #expect(report.status == .notFound)
        #expect(report.text.string.hasPrefix("hikeshare: Found no sender within 10 s.\nCheck:\n  - Is "))
        #expect(report.text.string.contains("hikeshare receive --link"))
        guard case .list(let hints) = try fields(report.rendered(as: .json))["hints"] else {
            return #expect(Bool(false), "no hints")
        }
        #expect(hints.count == CommandError.whatToCheck.count)
    }
}

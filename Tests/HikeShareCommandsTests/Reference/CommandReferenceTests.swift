import Diagnosis
import Foundation
import NetworkManager
import RegionSharing
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

/// The page of the command line says what the program does: tests compare both, in both directions.
@Suite struct CommandReferenceTests {
    @Test func everyTypeOfJSONHasARow() throws {
        let (written, documented) = try (JSONSources.fields(), CommandReference().fields())
        #expect(written.count > 50)
        #expect(Set(written.keys) == Set(documented.keys))
    }

    @Test func everyFieldOfJSONIsDocumented() throws {
        let (written, documented) = try (JSONSources.fields(), CommandReference().fields())
        for (type, fields) in written.sorted(by: { $0.key < $1.key }) {
            let known = documented[type] ?? []
            #expect(fields.subtracting(known) == [], "\(type): fields that are not documented")
            #expect(known.subtracting(fields) == [], "\(type): documented fields that are never written")
        }
    }

    /// Errors of sessions, which the program has none of.
    private static let ofSessions: Set<PeerError.Code> = [.notConnected, .notUnderstood, .replaced]

    /// The codes, each with the exit codes of a command that ends with it, or `none` for one of warnings alone.
    private static func codes() -> [String: Set<String>] {
        var codes: [String: Set<String>] = ["failure": ["1"]]
        func add(_ code: String, _ error: any Error) {
            codes[code, default: []].insert("\(SharingReports.ExitStatus(error).rawValue)")
        }
        for code in CommandError.Code.allCases { add(code.rawValue, CommandError(code, "")) }
        for code in PeerError.Code.all where !ofSessions.contains(code) { add(code.description, PeerError(code, "")) }
        for code in RegionStoreError.Code.all { add(code.description, RegionStoreError(code, "")) }
        for code in NetworkManagerError.Code.allCases { add(code.rawValue, NetworkManagerError(code, "")) }
        for code in ProtocolError.Code.all { add(code.description, ProtocolError(code, "")) }
        for code in warnings { codes[code.rawValue] = ["none"] }
        return codes
    }

    /// The codes with which no command ends.
    private static let warnings: [CommandError.Code] = [
        .outsideArea, .olderMap, .perhapsNewer, .sameMap, .sameName, .writtenBefore,
    ]

    /// One code has one exit code, whatever part of the program it comes from.
    @Test func everyCodeIsDocumented() throws {
        var documented: [String: Set<String>] = [:]
        for row in try CommandReference().rows(below: "| exit code | codes |") {
            for code in CommandReference.words(in: row[1]) { documented[code, default: []].insert(row[0]) }
        }
        let written = Self.codes()
        for code in Set(written.keys).union(documented.keys).sorted() {
            #expect(documented[code] == written[code], "\(code)")
        }
    }

    @Test func everyExitCodeIsDocumented() throws {
        let rows = try CommandReference().rows(below: "| code | meaning |")
        #expect(rows.compactMap { Int32($0[0]) } == SharingReports.ExitStatus.allCases.map(\.rawValue))
    }

    /// A remedy that says “Check:” is no help without what is shown below it.
    @Test func remediesInJSONAreComplete() throws {
        let error = FindingError.noSender(SenderSearch(query: "x"), others: [])
        #expect(ProblemReport(error).text.string.contains("\nCheck:\n"))
        let line = try fields(ProblemReport(error).rendered(as: .json))
        #expect(
            line["remedy"] == .text(Wording.sentence("Check:", naming: CommandError.whatToCheck.map(\.typed.string)))
        )
        #expect(Wording.sentence("Name one of them:", naming: ["A", "B"]) == "Name one of them: A, B")
        #expect(Wording.sentence("Check:", naming: ["Is it on?", "Is it up?"]) == "Check: Is it on? Is it up?")
        #expect(Wording.sentence("Check:", naming: []) == "Check.")
        #expect(Wording.sentence("Try again.", naming: ["x"]) == "Try again.")
        let wiFi = OwnNetworkCheck.facts(of: NetworkManagerError(.wifiOff, "Off.", remedy: "Switch it on:  nmcli x"))
        #expect(wiFi == .impossible(reason: "Off.", remedy: "Switch it on:", command: "nmcli x"))
    }
}

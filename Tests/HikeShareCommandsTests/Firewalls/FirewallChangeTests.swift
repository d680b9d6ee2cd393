import Diagnosis
import Foundation
import PeerTestSupport
import Testing

@testable import HikeShareCommands
@testable import SharingReports

/// What the command reads, runs and says, with programs that only answer.
@Suite struct FirewallChangeTests {
    /// Programs of a machine: what each answers, by its command line, and what was run.
    private final class Machine {
        var answers: [String: String]
        var failures: [String: String] = [:]
        var commands: [String] = []

        init(_ answers: [String: String]) { self.answers = answers }

        func run(_ program: String, _ arguments: [String]) -> SystemProgram.Answer? {
            let line = FirewallCommand(program, arguments).text
            commands.append(line)
            if let failure = failures[line] {
                return SystemProgram.Answer(output: "", complaint: failure, isSuccess: false)
            }
            return answers[line].map { SystemProgram.Answer(output: $0, complaint: "", isSuccess: true) }
        }
    }

    private static let listing = "nft -j list ruleset"

    /// An nft that shows nothing, or one chain that drops, with rules of these comments.
    private static func rules(_ comments: [String]?) -> String {
        guard let comments else { return #"{"nftables": []}"# }
        let rules = comments.enumerated().map { number, comment in
            #", {"rule": {"family": "ip6", "table": "t", "chain": "c", "handle": \#(number), "comment": "\#(comment)"}}"#
        }
        return #"""
            {"nftables": [{"chain": {"family": "ip6", "table": "t", "name": "c", "handle": 1, "type": "filter",
            "hook": "input", "prio": 0, "policy": "drop"}}\#(rules.joined())]}
            """#
    }

    private func perform(
        _ work: FirewallReport.Work,
        on machine: Machine,
        user: uid_t = 0,
        mark: FirewallMark = FirewallMark(path: "/nowhere/mark")
    ) throws -> (report: FirewallReport, told: [(command: String, failure: String?)]) {
        var told: [(command: String, failure: String?)] = []
        var change = FirewallChange(work: work, opening: FirewallOpening(ports: [64_453]))
        (change.run, change.user, change.mark) = (machine.run, user, mark)
        let report = try change.perform { told.append(($0, $1)) }
        return (report, told)
    }

    @Test func onlyRootMayAndTheRemedyIsTheCommand() throws {
        let machine = Machine([:])
        let error = #expect(throws: CommandError.self) { try self.perform(.close, on: machine, user: 1000) }
        #expect(error?.code == .usage)
        let remedy = error.map { ProblemReport($0).text.string } ?? ""
        #expect(remedy.contains("sudo ") && remedy.contains(" doctor --close-firewall"), "\(remedy)")
        #expect(machine.commands == [])
    }

    @Test func whereNothingDropsNothingIsDone() throws {
        let (report, told) = try perform(.open, on: Machine([Self.listing: Self.rules(nil)]))
        #expect(told.isEmpty && report.isDone)
        #expect(report.text.string.hasPrefix("Nothing to do: "))
    }

    /// Everybody sees later that it was opened, as long as it is.
    @Test func leavesAMark() async throws {
        try await TemporaryDirectory.with { directory in
            let mark = FirewallMark(path: directory.path("mark"))
            let machine = Machine([Self.listing: Self.rules(nil)])
            #expect(!mark.isSet)
            for work in [FirewallReport.Work.open, .open, .close, .close] {
                _ = try perform(work, on: machine, mark: mark)
                #expect(mark.isSet == (work == .open))
            }
            _ = try? perform(.open, on: machine, user: 1000, mark: mark)
            #expect(!mark.isSet)
        }
    }

    @Test func withoutAProgramThatReadsThatIsSaid() throws {
        let (report, told) = try perform(.open, on: Machine([:]))
        #expect(told.isEmpty && report.remarks == [.unread])
        #expect(report.text.string.contains("could not be read"))
    }

    /// The rules are read again: a command that says it has succeeded may have changed nothing.
    @Test func aCommandThatFailsOrHasNoEffectIsTold() throws {
        let machine = Machine([Self.listing: Self.rules([])])
        let (report, told) = try perform(.open, on: machine)
        #expect(!report.isDone && !told.isEmpty)
        #expect(told.allSatisfy { $0.failure == "nft is not installed." })
        let first = try #require(told.map(\.command).first)
        machine.failures[first] = "Error: Operation not permitted"
        let again = try perform(.open, on: machine)
        let failure = try #require(again.told.map(\.failure).first ?? nil)
        #expect(failure == "Error: Operation not permitted")
        #expect(PlainReport.ran("nft", failure: failure).text.string.contains("failed:"))
        for command in again.told { machine.answers[command.command] = "" }
        machine.failures = [:]
        let without = try perform(.open, on: machine)
        #expect(!without.report.isDone && without.told.allSatisfy { $0.failure == nil })
    }

    @Test func whatWasAddedIsTakenOut() throws {
        let machine = Machine([
            Self.listing: Self.rules(["mine", "hikeshare-x"]), "nft delete rule ip6 t c handle 1": "",
        ])
        let (report, told) = try perform(.close, on: machine)
        #expect(told.map(\.command) == ["nft delete rule ip6 t c handle 1"])
        // The listing is the same as before.
        #expect(!report.isDone && told.allSatisfy { $0.failure == nil })
    }

    /// Programs of iptables change the tables that they can read, and nothing is asked of those that have none.
    @Test func iptablesIsAskedForItsOwnTables() throws {
        let table = Self.rules([]).replacing(#""table": "t""#, with: #""table": "filter""#)
            .replacing(#""name": "c""#, with: #""name": "INPUT""#)
        let machine = Machine([Self.listing: table, "ip6tables-nft-save": "*filter\n:INPUT DROP [0:0]\nCOMMIT\n"])
        let (_, told) = try perform(.open, on: machine)
        #expect(!told.isEmpty && told.allSatisfy { $0.command.hasPrefix("ip6tables-nft -w -t filter -I INPUT ") })
        #expect(!machine.commands.contains("iptables-nft-save"))
        // What iptables does not understand, nft changes.
        machine.answers["ip6tables-nft-save"] = """
            # Table `filter' contains incompatible base-chains, use 'nft' tool to list them.
            *filter
            :OUTPUT DROP [0:0]
            COMMIT
            """
        #expect(
            try perform(.open, on: machine).told.allSatisfy {
                $0.command.hasPrefix("nft insert rule ip6 filter INPUT ")
            }
        )
    }

    @Test func withoutNFTBothKindsOfIPTablesAreRead() throws {
        let table = "*filter\n:OUTPUT DROP [0:0]\nCOMMIT\n"
        let machine = Machine(["iptables-save": table, "ip6tables-save": table])
        let programs = try perform(.open, on: machine).told.map { $0.command.prefix { $0 != " " } }
        #expect(Set(programs) == ["iptables", "ip6tables"])
    }

    @Test func theWordForSudoIsTheNameIfSudoFindsTheSameFile() async throws {
        try await TemporaryDirectory.with { directory in
            let (file, folder) = (directory.path("hikeshare"), directory.path("bin"))
            try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let running = directory.path("exe")
            try FileManager.default.createSymbolicLink(atPath: running, withDestinationPath: file)
            #expect(ProgramLocation.wordForSudo(running: running, in: [folder]) == file)
            try FileManager.default.createSymbolicLink(atPath: folder + "/hikeshare", withDestinationPath: file)
            #expect(ProgramLocation.wordForSudo(running: running, in: [folder]) == "hikeshare")
        }
    }

    /// Without a shell, with a clean environment, and as much as the program writes.
    @Test func aProgramOfTheSystemIsRun() throws {
        let environment = try #require(SystemProgram.run("env", []))
        #expect(environment.isSuccess)
        #expect(
            Set(environment.output.split(separator: "\n").map { $0.prefix { $0 != "=" } }) == [
                "PATH", "LC_ALL", "HOME",
            ]
        )
        let long = try #require(SystemProgram.run("seq", ["300000"]))
        #expect(long.isSuccess && long.output.hasSuffix("\n300000\n"))
        let failing = try #require(SystemProgram.run("ls", ["/nowhere at all"]))
        #expect(!failing.isSuccess && failing.complaint.contains("nowhere at all"))
        #expect(SystemProgram.run("no-such-program", []) == nil)
        // More than any listing of rules.
        let endless = try #require(SystemProgram.run("yes", []))
        #expect(!endless.isSuccess)
    }
}

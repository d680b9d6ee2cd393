import PeerCore
import RegionSharing
import Sentences
import SharingReports
import Testing

@testable import Diagnosis
@testable import MapPages
@testable import SharingWindow
@testable import WebServer

/// The search in the window for what hinders sharing.
@Suite struct WindowCheckTests {
    private static let place = Finding.Place(of: PeerFacts(name: "“Anna”", ways: []), at: nil)

    private static func shown(_ findings: [Finding]) throws -> [AppWindowState.Line] {
        let window = try TestWindow()
        CheckingJob.tell(DoctorReport(findings: findings), window.person)
        return window.window.current.lines
    }

    /// The commands in a line, each of which has a button that copies it.
    private static func commands(_ line: AppWindowState.Line) -> [String] {
        line.text.blocks.compactMap(\.runs).joined().filter { $0.style == "command" }.map(\.text)
    }

    @Test func theWorstIsLastAndItsCommandCanBeCopied() throws {
        let lines = try Self.shown([
            Finding(.tunnelActive("tun0"), .note), Finding(.avahiTrouble(.missing), .problem),
            Finding(.address([]), .ok),
        ])
        #expect(lines.map(\.kind) == [.note, .warning])
        #expect(Self.commands(lines[1]) == ["sudo apt install avahi-daemon"])
        #expect(lines[1].text.words.hasPrefix("Problem:\n"))
        #expect(lines[1].text.words.contains("Install it while you have internet:\nsudo apt install avahi-daemon"))
    }

    @Test func ifNothingStandsInTheWayTheWindowSaysSo() throws {
        let reached = Finding.Kind.peerReached(Self.place, milliseconds: 3, isSlow: false, onlySmallPackets: false)
        let lines = try Self.shown([Finding(.address([]), .ok), Finding(reached, .ok)])
        #expect(lines.map(\.kind) == [.note, .result])
        #expect(lines[1].text.words == "Nothing stands in the way of sharing.")
        let alone = try Self.shown([Finding(.address([]), .ok)])
        #expect(alone.last?.text.words.contains("The way to another one was not tested.") == true)
    }

    /// What the window does itself is no command, and no words of a terminal name one.
    @Test(arguments: [
        Finding.Kind.noPeers, .peerSilent(place), .portRefused(place), .otherDirection(own: "192.168.1.7"),
        .clientIsolation(place), .readOnly(StoreFacts(path: "/s", free: 1)), .noPermission(StoreFacts(path: "/s")),
        .diskFull(StoreFacts(path: "/s", free: 0)),
    ])
    func wordsOfATerminalAreLeftOut(kind: Finding.Kind) throws {
        let lines = try Self.shown([Finding(kind, .problem)])
        let words = lines.map(\.text.words).joined()
        #expect(!words.contains("hikeshare ") && !words.contains("--"), "\(words)")
    }

    @Test func aFirewallIsOpenedByACommandOfThisProgram() throws {
        let lines = try Self.shown([Finding(.firewallActive(.ufw, port: 64_453), .warning)])
        #expect(Self.commands(lines[0]).first?.hasSuffix("doctor --open-firewall") == true, "\(lines)")
    }

    @Test func aPersonNamesAnotherMachineByItsAddressOrLink() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            func addresses(_ text: String) async throws -> [PeerAddress] {
                var jobs = here.window.jobs.makeAsyncIterator()
                #expect(try here.post("check", #"{"to":"\#(text)"}"#).status == .ok)
                let begun = await jobs.next()
                let job = try #require(begun?.job as? CheckingJob)
                here.window.end()
                return job.addresses
            }
            #expect(try await addresses("").isEmpty)
            #expect(try await addresses(" 10.77.0.1 ") == [PeerAddress(host: "10.77.0.1", port: 64_453)])
            #expect(try await addresses("[fe80::1%eth0]:4711") == [PeerAddress(host: "fe80::1%eth0", port: 4711)])
            let id = try #require(PeerID(hex: String(repeating: "a", count: 64)))
            let two = [PeerAddress(host: "10.77.0.1", port: 4711), PeerAddress(host: "10.77.1.1", port: 4711)]
            let link = try ShareLink(for: .hikeshare, addresses: two, id: id, token: .random())
            #expect(try await addresses(link.text) == two)
            #expect(try here.post("check", #"{"to":"HIKESHARE://MARMOT"}"#).status == .badRequest)
            #expect(!here.window.isRunning)
        }
    }

    @Test func whatIsNotExplainedCanBeLookedFor() {
        let lost = PeerError(.connectionLost, "The connection was lost.")
        #expect(ProblemReport.isUnexplained(lost))
        #expect(ProblemReport.isUnexplained(HintedError(underlying: lost)))
        #expect(!ProblemReport.isUnexplained(HintedError(underlying: lost, hints: ["The cable is out."])))
        #expect(!ProblemReport.isUnexplained(PeerError(.declined, "No.")))
        #expect(!ProblemReport.isUnexplained(CommandError(.interrupted, "Interrupted.")))
    }
}

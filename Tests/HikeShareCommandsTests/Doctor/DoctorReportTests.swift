import Foundation
import NetworkManager
import RegionSharing
import Sentences
import SharingReports
import Testing

@testable import Diagnosis
@testable import HikeShareCommands

@Suite struct DoctorReportTests {
    private static let full = StoreFacts(path: "/s", free: 0)
    private static let anna = Finding.Place(of: PeerFacts(name: "“Anna”", ways: []), at: nil)
    private static let reached = Finding.Kind.peerReached(anna, milliseconds: 3, isSlow: false, onlySmallPackets: false)

    private static func finding(_ kind: Finding.Kind, _ severity: Finding.Severity) -> Finding {
        Finding(kind, severity)
    }

    @Test func theWorstComesFirstAndCausesStayBeforeConsequences() {
        let report = DoctorReport(findings: [
            Self.finding(.address([]), .ok), Self.finding(.tunnelActive("tun0"), .note),
            Self.finding(.avahiTrouble(.stopped), .problem),
            Self.finding(.clockBehind(days: 1, of: .store), .warning), Self.finding(.diskFull(Self.full), .problem),
        ])
        #expect(report.findings.map(\.code) == [.avahiStopped, .diskFull, .clockBehind, .tunnelActive, .address])
    }

    @Test(arguments: [
        (Finding.Kind.noInterface, SharingReports.ExitStatus.noDiscovery),
        (.multicastOff(interface: "a"), .noDiscovery),
        (.outgoingBlocked(anna), .noDiscovery), (.peerSilent(anna), .notFound), (.diskFull(full), .storage),
        (.clockDiffers(days: 1), .failure),
    ])
    func theFirstProblemDecidesTheExitCode(kind: Finding.Kind, status: SharingReports.ExitStatus) {
        let fine = Self.finding(.address([]), .ok)
        #expect(DoctorReport(findings: [fine, Self.finding(kind, .problem)]).status == status)
        for severity in [Finding.Severity.ok, .note, .warning] {
            #expect(DoctorReport(findings: [Self.finding(kind, severity)]).status == .success)
        }
        #expect(DoctorReport(findings: []).status == .success)
    }

    @Test func aRadioThatIsOffMakesNoNetwork() throws {
        let device = WiFiDevice(
            path: "/1",
            interface: "wlan0",
            state: .disconnected,
            capabilities: [.accessPoint, .ccmp, .rsn]
        )
        let plan = try HotspotPlan(NetworkState(version: "1.42.4", devices: [device]), hasDnsmasq: true)
        #expect(OwnNetworkCheck.facts(of: plan, isRadioOff: false) == .possible(interface: "wlan0", servesPhones: true))
        let off = Finding(.ownNetwork(OwnNetworkCheck.facts(of: plan, isRadioOff: true)), .note)
        #expect(off.message == "This machine cannot make a Wi-Fi network of its own. Wi-Fi is switched off.")
    }

    @Test func allIsWellOnlyWithoutWarnings() {
        let verdict = "Nothing stands in the way of sharing."
        let fine = [Self.finding(.address([]), .ok), Self.finding(Self.reached, .ok)]
        #expect(DoctorReport(findings: fine).text.string.hasPrefix(verdict))
        let alone = DoctorReport(findings: [Self.finding(.address([]), .ok), Self.finding(.noPeers, .note)])
        #expect(!alone.text.string.contains(verdict))
        #expect(alone.text.string.hasPrefix("No problem found on this machine."))
        let warned = DoctorReport(findings: fine + [Self.finding(.clockBehind(days: 1, of: .store), .warning)])
        #expect(!warned.text.string.contains(verdict))
        #expect(warned.text.string.hasPrefix("Warning:"))
    }

    /// The name of a peer comes from the network.
    @Test func namesOfPeersAreEscaped() {
        let place = Finding.Place(of: PeerFacts(name: "“An\u{1B}[31mna\u{202E}”", ways: []), at: nil)
        let finding = Finding(.peerReached(place, milliseconds: 3, isSlow: false, onlySmallPackets: false), .ok)
        let report = DoctorReport(findings: [finding])
        #expect(!report.rendered(as: .text).contains("\u{1B}"))
        #expect(!report.rendered(as: .text).contains("\u{202E}"))
        #expect(!report.rendered(as: .json).contains("\u{1B}"))
    }

    @Test func jsonHasOneLineForEachFinding() throws {
        let report = DoctorReport(findings: [
            Self.finding(.address([]), .ok), Self.finding(.diskFull(Self.full), .problem),
        ])
        let lines = report.rendered(as: .json).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try #require(lines.first)
        #expect(first.contains(#""type":"finding""#) && first.contains(#""code":"diskFull""#))
        #expect(first.contains(#""severity":"problem""#) && first.contains(#""subject":"storage""#))
    }

    @Test(arguments: Finding.Code.allCases) func everyCodeIsDocumented(code: Finding.Code) throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/JSON.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("`\(code.rawValue)`"))
    }

    @Test func hintsStandBeforeThoseOfTheError() {
        let error = HintedError(underlying: CommandError(.noPeerFound, "None.", hints: ["b"]), hints: ["a"])
        let report = ProblemReport(error)
        #expect(report.hints == ["a", "b"])
        #expect(report.code == "noPeerFound")
        #expect(report.status == .notFound)
    }
}

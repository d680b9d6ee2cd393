import Diagnosis
import Foundation
import NetworkManager
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct DoctorReportTests {
    private static func finding(
        _ code: Finding.Code,
        _ severity: Finding.Severity,
        _ subject: Finding.Subject = .network
    ) -> Finding {
        Finding(code, subject, severity, "A message.", remedy: severity == .ok ? nil : "A remedy:", command: "command")
    }

    @Test func theWorstComesFirstAndCausesStayBeforeConsequences() {
        let report = DoctorReport(findings: [
            Self.finding(.address, .ok), Self.finding(.tunnelActive, .note), Self.finding(.avahiStopped, .problem),
            Self.finding(.clockBehind, .warning), Self.finding(.diskFull, .problem),
        ])
        #expect(
            report.findings.map(\.code) == [.avahiStopped, .diskFull, .clockBehind, .tunnelActive, .address]
        )
    }

    @Test(arguments: [
        (Finding.Subject.network, SharingReports.ExitStatus.noDiscovery), (.discovery, .noDiscovery),
        (.firewall, .noDiscovery),
        (.peers, .notFound), (.storage, .storage), (.clock, .failure),
    ])
    func theFirstProblemDecidesTheExitCode(subject: Finding.Subject, status: SharingReports.ExitStatus) {
        let problem = Self.finding(.diskFull, .problem, subject)
        #expect(DoctorReport(findings: [Self.finding(.address, .ok), problem]).status == status)
        for severity in [Finding.Severity.ok, .note, .warning] {
            #expect(DoctorReport(findings: [Self.finding(.diskFull, severity, subject)]).status == .success)
        }
        #expect(DoctorReport(findings: []).status == .success)
    }

    /// The cause stands instead of what follows from it, and only if this machine is on no network.
    @Test func networkingThatIsOffIsTheProblem() {
        let off = HotspotCheck.finding(for: NetworkManagerError(.networkingOff, "Off.", remedy: "nmcli networking on"))
        #expect(off.severity == .note)
        let rest = [Self.finding(.avahiStopped, .problem, .discovery)]
        let alone = Weighing.joined([Self.finding(.noAddress, .problem)] + rest, [off])
        #expect(alone.map(\.code) == [.networkingOff, .avahiStopped])
        #expect(alone.first?.severity == .problem && alone.first?.remedy == "nmcli networking on")
        #expect(Weighing.joined([Self.finding(.address, .ok)], [off]).map(\.severity) == [.ok, .note])
    }

    @Test func aRadioThatIsOffMakesNoNetwork() throws {
        let device = WiFiDevice(
            path: "/1",
            interface: "wlan0",
            state: .disconnected,
            capabilities: [.accessPoint, .ccmp, .rsn]
        )
        let plan = try HotspotPlan(NetworkState(version: "1.42.4", devices: [device]), hasDnsmasq: true)
        #expect(HotspotCheck.finding(for: plan, isRadioOff: false).severity == .ok)
        let off = HotspotCheck.finding(for: plan, isRadioOff: true)
        #expect(off.message == "This machine cannot make a Wi-Fi network of its own. Wi-Fi is switched off.")
    }

    @Test func allIsWellOnlyWithoutWarnings() {
        let verdict = "Nothing stands in the way of sharing."
        let fine = [Self.finding(.address, .ok), Self.finding(.peerReached, .ok)]
        #expect(DoctorReport(findings: fine).text.string.hasPrefix(verdict))
        let alone = DoctorReport(findings: [Self.finding(.address, .ok), Self.finding(.noPeers, .note)])
        #expect(!alone.text.string.contains(verdict))
        #expect(alone.text.string.hasPrefix("No problem found on this machine."))
        let warned = DoctorReport(findings: fine + [Self.finding(.clockBehind, .warning)])
        #expect(!warned.text.string.contains(verdict))
        #expect(warned.text.string.hasPrefix("Warning:"))
    }

    /// The name of a peer comes from the network.
    @Test func namesOfPeersAreEscaped() {
        let finding = Finding(.peerReached, .peers, .ok, "“An\u{1B}[31mna\u{202E}” answers.")
        let report = DoctorReport(findings: [finding])
        #expect(!report.rendered(as: .text).contains("\u{1B}"))
        #expect(!report.rendered(as: .text).contains("\u{202E}"))
        #expect(!report.rendered(as: .json).contains("\u{1B}"))
    }

    @Test func jsonHasOneLineForEachFinding() throws {
        let report = DoctorReport(findings: [Self.finding(.address, .ok), Self.finding(.diskFull, .problem, .storage)])
        let lines = report.rendered(as: .json).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try #require(lines.first)
        #expect(first.contains(#""type":"finding""#) && first.contains(#""code":"diskFull""#))
        #expect(first.contains(#""severity":"problem""#) && first.contains(#""subject":"storage""#))
    }

    @Test(arguments: Finding.Code.all + [.otherDirection]) func everyCodeIsDocumented(
        code: Finding.Code
    ) throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/CLI.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("`\(code.name)`"))
    }

    @Test func hintsStandBeforeThoseOfTheError() {
        let error = HintedError(underlying: CommandError(.noPeerFound, "None.", hints: ["b"]), hints: ["a"])
        let report = ProblemReport(error)
        #expect(report.hints == ["a", "b"])
        #expect(report.code == "noPeerFound")
        #expect(report.status == .notFound)
    }
}

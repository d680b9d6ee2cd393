import Diagnosis
import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct FirewallTests {
    @Test func whoseFirewallIsNotKnownIsToldTheCommandOfEach() {
        let finding = Finding(.portBlocked, .peers, .problem, "No answer.", command: "x", port: 64_453)
        let advice = DoctorAdvice(for: finding)
        for firewall in Firewall.allCases {
            let commands = firewall.command(opening: 64_453).split(separator: " && ")
            #expect(commands.allSatisfy { advice.commands.contains(String($0)) })
            #expect(advice.remedy?.contains(firewall.rawValue) == true)
        }
    }

    /// Each of them may be run, and each is a line.
    @Test func alternativesAreLinesOfTheirOwn() {
        let finding = Finding(.multicastBlocked, .discovery, .problem, "", command: "a && b; c")
        #expect(DoctorAdvice(for: finding).commands == ["a", "b", "c"])
    }
}

import Diagnosis
import PeerCore
import Testing

@testable import HikeShareCommands

@Suite struct FirewallTests {
    @Test func aReceiverWithoutAnAnswerIsToldTheCommandOfEach() {
        let error = PeerError(.cannotConnect, "No answer.", cause: UnansweredConnection(ports: [64_453, 1]))
        let hints = ProblemReport(error).hints.map(\.string)
        #expect(hints.count == Firewall.allCases.count)
        for firewall in Firewall.allCases {
            let command = firewall.command(opening: 64_453)
            #expect(hints.contains { $0.contains(firewall.rawValue) && $0.hasSuffix(command) })
        }
        #expect(ProblemReport(PeerError(.cannotConnect, "Refused.")).hints.isEmpty)
    }
}

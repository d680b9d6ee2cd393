import Foundation
import HostNetwork
import PeerTestSupport
import Testing

@testable import Diagnosis

@Suite struct LocalSendProbeTests {
    /// A group that no other test has.
    private static func group() -> MulticastGroup {
        let bytes = (0..<3).map { _ in UInt8.random(in: 1...254) }
        return MulticastGroup(ofIPv4: "239.\(bytes[0]).\(bytes[1]).\(bytes[2])", port: 53317)
    }

    @Test func aPacketComesBackOnLoopback() async {
        let facts = await LocalSendProbe.run(on: LocalNetwork.loopback(), in: Self.group())
        #expect(facts.echoes == [MulticastFacts.Echo(interface: "lo", isIPv6: false, fate: .returned)])
    }

    @Test func aPortIsTakenWhileAProgramListens() async throws {
        let serve: @Sendable (RawConnection) -> Void = { _ in }
        try await RawServer.with(serve: serve) { server in
            let port = try #require(UInt16(exactly: server.port))
            #expect(LocalSendProbe.isTaken(port))
        }
        // Any free one is always there.
        #expect(!LocalSendProbe.isTaken(0))
    }

    @Test(
        arguments: [
            ([], false, []), ([.returned, .untested], false, []), ([.returned, .lost], false, [.phonesBlocked]),
            ([.lost, .forbidden], true, [.phonesBlocked, .phonePortTaken]),
        ] as [([MulticastFacts.Echo.Fate], Bool, [Finding.Code])]
    )
    func isJudged(fates: [MulticastFacts.Echo.Fate], isPortTaken: Bool, codes: [Finding.Code]) {
        let echoes = fates.enumerated().map { MulticastFacts.Echo(interface: "lan\($0)", isIPv6: false, fate: $1) }
        let findings = Judgement.phones(LocalSendFacts(echoes: echoes, isPortTaken: isPortTaken))
        #expect(findings.map(\.code) == codes && findings.allSatisfy { $0.severity == .note })
        // What does not even leave this machine comes first.
        let isOutgoing = fates.contains(.forbidden)
        if let first = findings.first {
            #expect(first.kind == .phonesBlocked(interface: "lan1", isOutgoing: isOutgoing))
        }
    }
}

import HostNetwork
import Testing

@testable import Diagnosis
@testable import RegionSharing
@testable import SharingReports

@Suite struct UnreachableReportTests {
    private static let laptop = MachineFacts(interfaces: [])
    private static let guarded = MachineFacts(interfaces: [], firewall: .ufw)
    private static let tunnelled = MachineFacts(interfaces: [
        InterfaceFacts(name: "tun0", index: 3, kind: .tunnel, isEthernet: false)
    ])

    private func receiver(
        _ arrivals: PeerView.Arrivals,
        _ back: PeerView.Back?,
        on machine: MachineFacts
    ) -> UnreachableReceiver {
        let view = PeerView(arrivals: arrivals, back: back)
        return UnreachableReceiver(address: "10.77.0.2\u{7}", view: view, port: 64_453, on: machine)
    }

    @Test(
        arguments: [
            (.none, .kept, laptop, .outgoingBlocked), (.halfOpen, .kept, laptop, .outgoingBlocked),
            (.none, .kept, tunnelled, .tunnelBlocks), (.none, .noRoute, tunnelled, .tunnelBlocks),
            (.none, .noRoute, laptop, .noRoute), (.halfOpen, .silent, laptop, .answersLost),
            (.halfOpen, .reached, guarded, .answersLost), (.none, .reached, laptop, .incomingBlocked),
            (.none, nil, laptop, .incomingBlocked), (.none, .silent, guarded, .incomingBlocked),
            (.none, .silent, laptop, .clientIsolation),
        ] as [(PeerView.Arrivals, PeerView.Back?, MachineFacts, Finding.Code)]
    )
    func judgesFromThisSide(
        arrivals: PeerView.Arrivals,
        back: PeerView.Back?,
        machine: MachineFacts,
        code: Finding.Code
    ) {
        #expect(receiver(arrivals, back, on: machine).cause.finding.code == code)
    }

    /// The address comes from the network, and programs get the command by itself.
    @Test func saysItWithTheCommand() {
        let receiver = receiver(.none, .reached, on: Self.guarded)
        let text = receiver.rendered(as: .text)
        #expect(text.hasPrefix("A machine nearby (10.77.0.2\\u{7}) hears this one"))
        #expect(text.contains("sudo hikeshare doctor --open-firewall"))
        let line = receiver.rendered(as: .json)
        #expect(line.contains(#""arrivals":"none""#) && line.contains(#""code":"incomingBlocked""#))
        #expect(line.contains(#""commands":["sudo hikeshare doctor --open-firewall"]"#))
    }

    @Test func saysInJSONWhatThisMachineSees() {
        let line = receiver(.halfOpen, nil, on: Self.laptop).rendered(as: .json)
        #expect(line.contains(#""arrivals":"halfOpen""#))
        #expect(!line.contains("back"))
    }
}

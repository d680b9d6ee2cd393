import Testing

@testable import Diagnosis
@testable import RegionSharing
@testable import SharingReports

@Suite struct UnreachableReportTests {
    private func receiver(_ arrivals: PeerView.Arrivals, _ back: PeerView.Back?) -> UnreachableReceiver {
        UnreachableReceiver(address: "10.77.0.2\u{7}", view: PeerView(arrivals: arrivals, back: back))
    }

    @Test(
        arguments: [
            (.none, .kept, "firewall of this machine"), (.halfOpen, .kept, "firewall of this machine"),
            (.none, .noRoute, "VPN"), (.halfOpen, .silent, "firewall of that machine"),
            (.none, .reached, "firewalls of both machines"), (.none, nil, "firewalls of both machines"),
        ] as [(PeerView.Arrivals, PeerView.Back?, String)]
    )
    func namesThePlaceToLookAt(arrivals: PeerView.Arrivals, back: PeerView.Back?, place: String) {
        let text = receiver(arrivals, back).rendered(as: .text)
        #expect(text.contains(place))
        #expect(text.hasPrefix("A machine nearby (10.77.0.2\\u{7}) hears this one"))
    }

    @Test func saysInJSONWhatThisMachineSees() {
        let line = receiver(.halfOpen, nil).rendered(as: .json)
        #expect(line.contains(#""arrivals":"halfOpen""#))
        #expect(!line.contains("back"))
    }
}

import PeerCore
import Testing

@testable import HikeShareCommands

@Suite struct LinkAddressesTests {
    private func hosts(_ texts: String...) -> [String] {
        LinkAddresses.usable(texts).map(\.host)
    }

    @Test func leaveTheMachineItselfOut() {
        #expect(hosts("192.168.1.7:4711", "127.0.0.1:4711", "[::1]:4711") == ["192.168.1.7"])
        #expect(hosts("127.0.0.1:4711", "[::1]:4711") == ["127.0.0.1", "::1"])
    }

    @Test func nameNoInterfaceOfThisMachine() {
        #expect(
            hosts("10.0.0.1:1", "[fe80::1%eth0]:1", "[fe80::1%wlan0]:1", "[fe80::2%wlan0]:1")
                == ["10.0.0.1", "fe80::1", "fe80::2"]
        )
    }

    @Test func areNotMoreThanAPersonCanScan() {
        let many = (1...20).map { "10.0.0.\($0):4711" }
        #expect(LinkAddresses.usable(many).map(\.host) == (1...6).map { "10.0.0.\($0)" })
        #expect(LinkAddresses.usable(many).allSatisfy { $0.port == 4711 })
    }
}

@Suite struct LinkInputTests {
    static let text = "hikeshare://10.0.0.1:4711/" + String(repeating: "0a", count: 32) + "#AAECAwQFBgcICQoLDA0ODw"

    @Test func isTakenWithSpacesAroundIt() throws {
        #expect(LinkInput.isLink("  \(Self.text)\r"))
        let link = try LinkInput.parse("\t\(Self.text) \r")
        #expect(link.addresses.map(\.host) == ["10.0.0.1"])
        #expect(link.text == Self.text)
    }

    @Test(arguments: ["", "marmot", "3", "http://x", "67cf-1ffb"])
    func isToldFromNames(text: String) {
        #expect(!LinkInput.isLink(text))
    }

    @Test func anErrorNeverTellsTheSecret() throws {
        let broken = Self.text.replacing("10.0.0.1", with: "10.0.0.1:x")
        let error = try #require(throws: PeerError.self) { try LinkInput.parse(broken) }
        let report = ProblemReport(error)
        #expect(report.status == .usage)
        #expect(!report.rendered(as: .text).contains("AAECAwQ") && !report.rendered(as: .json).contains("AAECAwQ"))
    }
}

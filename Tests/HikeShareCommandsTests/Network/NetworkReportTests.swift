import PeerCore
import RegionStore
import Testing

@testable import HikeShareCommands

@Suite struct NetworkReportTests {
    private static func local() throws -> LocalPeer {
        LocalPeer(
            application: .hikeshare,
            identity: try .generate(for: .hikeshare),
            displayName: "Brave Marmot",
            software: Software.description
        )
    }

    @Test func aSenderOnNoNetworkSaysWhatToDo() throws {
        let local = try Self.local()
        let report = ListeningReport(
            local: local,
            port: 4711,
            addresses: [],
            regionID: "52C93677",
            regionName: "Coma Pedrosa",
            size: 2_775_000,
            encryption: .required,
            isAdvertised: true
        )
        #expect(
            report.text.string == """
                Sending Coma Pedrosa, 2.8 MB
                You are Brave Marmot
                This laptop is not on any network. Join the same Wi-Fi, or plug in a cable.
                """
        )
    }

    @Test func aChangeOfTheNetworkIsToldWithTheNewLink() throws {
        let links = ShareLinkAddresses(application: .hikeshare, id: try Self.local().id, token: .random())
        let addresses = ["[fe80::1%eth0]:64453"]
        let link = try #require(links.link(to: addresses))
        let report = NetworkReport(addresses: addresses, link: link)
        #expect(report.text.string == "The network has changed. The share link is a new one.")
        let commands = ReceiverCommands(addresses: addresses, link: link, isAdvertised: true)
        #expect(commands.shortAddress == nil)
        #expect(
            commands.text.string == """
                On the other laptop:  hikeshare receive
                or, by address:       hikeshare receive --connect '[fe80::1%eth0]:64453'
                or, with the link:    hikeshare receive -
                \(link.text)
                (The name after % is an interface of this machine. Use the name of the interface on the other machine.)
                """
        )
        // An address that means the same on every machine is easier to type.
        let both = ReceiverCommands(addresses: ["10.77.0.1:64453"] + addresses, link: nil, isAdvertised: false)
        #expect(both.text.string == "On the other laptop:  hikeshare receive --connect 10.77.0.1:64453")
        // The usual port need not be typed.
        #expect(both.shortAddress == "10.77.0.1")
        #expect(
            ReceiverCommands(addresses: ["10.77.0.1:4711"], link: nil, isAdvertised: false).shortAddress
                == "10.77.0.1:4711"
        )
        #expect(report.rendered(as: .json).contains(#""link":"\#(link.text)""#))
        let none = NetworkReport(addresses: [], link: nil)
        #expect(none.text == NetworkReport.noNetwork)
        #expect(none.rendered(as: .json) == #"{"addresses":[],"type":"network"}"# + "\n")
    }
}

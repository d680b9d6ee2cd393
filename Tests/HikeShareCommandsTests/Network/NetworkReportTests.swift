import PeerCore
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing

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
        let facts = ListeningFacts(
            local: local,
            port: 4711,
            addresses: [],
            offers: [(region: try Sample.region(), size: 2_775_000)],
            encryption: .required,
            isAdvertised: true
        )
        #expect(
            ListeningReport(facts: facts).text.string == """
                Sending Coma Pedrosa, 2.8 MB
                You are Brave Marmot
                """
        )
    }

    @Test func aChangeOfTheNetworkIsToldWithTheNewLink() throws {
        let links = ShareLinkAddresses(application: .hikeshare, id: try Self.local().id, token: .random())
        let addresses = ["[fe80::1%eth0]:64453"]
        let link = try #require(links.link(to: addresses))
        let report = AddressChange(addresses: addresses, link: link, meaning: .new)
        #expect(report.text.string == "The network has changed. The share link is a new one.")
        var shown = ListeningFacts(
            local: try Self.local(),
            port: 64453,
            addresses: addresses,
            link: link,
            offers: [(region: try Sample.region(), size: 2_775_000)],
            encryption: .required,
            isAdvertised: true
        )
        #expect(
            ListeningReport(facts: shown).text.string.hasSuffix(
                """

                On the other laptop:
                  hikeshare receive
                If it does not find you, add
                  --connect '[fe80::1%eth0]:64453'
                (after %: the interface of the other laptop)
                or, with the link below:
                  hikeshare receive --link

                Anyone with the link gets it without a question.
                \(link.text)
                """
            )
        )
        // An address that means the same on every machine is easier to type.
        shown.addresses = ["10.77.0.1:64453", "10.78.0.1:4711"] + addresses
        shown.link = nil
        shown.isAdvertised = false
        // The usual port need not be typed.
        #expect(
            ListeningReport(facts: shown).text.string.hasSuffix(
                """
                On the other laptop:
                  hikeshare receive --connect 10.77.0.1
                  hikeshare receive --connect 10.78.0.1:4711

                """
            )
        )
        #expect(report.rendered(as: .json).contains(#""link":"\#(link.text)""#))
        let none = AddressChange(addresses: [], link: nil, meaning: .away)
        #expect(none.rendered(as: .json) == #"{"addresses":[],"type":"network"}"# + "\n")
    }
}

import ArgumentParser
import PeerCore
import Sentences
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import NetworkManager
@testable import RegionSharing

@Suite struct HotspotOptionsTests {
    private func parse(_ line: String) throws -> any ParsableCommand {
        let arguments = line.split(separator: " ").map(String.init)
        return try HikeShare.parseAsRoot(CommandArguments.globalOptionsLast(arguments))
    }

    @Test func wishesAreRead() throws {
        let plain = try #require(try parse("send alps") as? SendCommand)
        #expect(!plain.hotspot.hotspot && plain.hotspot.wishes == .init())
        let hotspot = try #require(try parse("send alps --hotspot") as? SendCommand)
        #expect(hotspot.hotspot.hotspot && hotspot.hotspot.wishes == .init())
        let line = "send alps --hotspot --hotspot-band 5 --share-internet"
        let wishes = try #require(try parse(line) as? SendCommand).hotspot.wishes
        #expect(wishes == .init(band: .band5GHz, sharesUplink: true))
        #expect(try #require(try parse("receive --join") as? ReceiveCommand).join)
    }

    @Test(
        arguments: [
            "send alps --hotspot-band 5", "send alps --share-internet", "send alps --hotspot --hotspot-band 6",
            "send alps --hotspot --hotspot-band", "receive --link --join",
            "receive --join HIKESHARE://000G40R40M30E20918V7Q4PF1C1QVZC9JR7EGCPNDW0C1A010W11RAR3ZZZ4TQKFEQS3",
        ]
    )
    func whatContradictsItselfIsRefused(line: String) {
        let error = #expect(throws: (any Error).self) { try parse(line) }
        #expect(error.map { ExitStatus(ending: $0) } == .usage)
    }

    @Test func theReportNamesEverythingForPrograms() throws {
        let wiFi = try #require(Screens.wiFi)
        let plan = try Screens.plan(.linkLocal(.noDnsmasq))
        let line = try fields(MadeNetwork(credentials: wiFi, plan: plan).rendered(as: .json))
        #expect(line["type"] == .text("hotspot"))
        #expect(line["network"] == .text("hikeshare-7K3M") && line["password"] == .text("mk4t-9rwb-x7hq"))
        #expect(line["interface"] == .text("wlp3s0") && line["band"] == .text("2.4"))
        #expect(line["channel"] == .number(6))
        let joined = try fields(JoinedNetwork(name: "hikeshare-7K3M", interface: "wlp3s0").rendered(as: .json))
        #expect(joined["type"] == .text("joined") && joined["network"] == .text("hikeshare-7K3M"))
    }

    @Test func aNumberChoosesANetwork() {
        let names = ["hikeshare-7K3M", "hikeshare-8K3M"]
        #expect(NetworkChoiceQuestion.name(in: names, chosenBy: " 2 ") == names[1])
        for line in ["", "0", "3", "-1", "two", "\(Int.min)", "\(Int.max)", "99999999999999999999"] {
            #expect(NetworkChoiceQuestion.name(in: names, chosenBy: line) == nil)
        }
    }

    /// A person who is there can join a network by hand, also with `--yes`.
    @Test func onlyAPersonJoinsANetworkByHand() async throws {
        let wiFi = try #require(Screens.wiFi)
        let question = JoinByHandQuestion(name: "hikeshare-7K3M", password: wiFi.password, reason: .noPermission)
        let terminal = TerminalModel(columns: 80)
        #expect(try await question.ask(at: terminal.console(canAsk: false)) == .notAsked)
        #expect(terminal.text.isEmpty, "\(terminal.text)")
        for (typed, answer) in [("\n", .joined), ("", .declined)] as [(String, JoinByHandQuestion.Answer)] {
            let input = try Pipe()
            input.write(typed)
            input.closeWriter()
            #expect(try await question.ask(at: terminal.console(input: input.reader)) == answer)
        }
        #expect(terminal.text.contains("mk4t-9rwb-x7hq"), "\(terminal.text)")
    }

    @Test func aPageNeedsAddressesForPhones() {
        let withoutDnsmasq = NetworkError.noAddresses(.noDnsmasq).words
        #expect(withoutDnsmasq.remedy?.typed == "Install it:  sudo apt install dnsmasq-base")
        let withUplink = NetworkError.noAddresses(.uplink("eth0")).words
        #expect(withUplink.remedy?.typed == "Add --share-internet to share it, or disconnect eth0.")
    }

    /// In error messages, logs and dumps there are credentials without their password.
    @Test func aDescriptionHidesThePassword() throws {
        let wiFi = try #require(Screens.wiFi)
        var dumped = ""
        dump(wiFi, to: &dumped)
        for text in ["\(wiFi)", String(reflecting: wiFi), dumped] {
            #expect(!text.contains("mk4t") && !text.contains("x7hq"), "\(text)")
        }
    }
}

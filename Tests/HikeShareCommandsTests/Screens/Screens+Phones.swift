import FoundationEssentials
import RegionSharing
import SharingReports
import SharingTestSupport

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Phones that have LocalSend, while a region is sent.
extension Screens {
    static func sendToPhones(_ console: Console) throws {
        guard let facts = try listening() else { return }
        let person = TerminalPerson(console, SenderDisplay(on: console))
        func tell(_ happening: LocalSendHappening) { person.tell(.phones(.localSend(happening))) }
        tell(.listed(name: "Carla", port: 53_317, isUsualPort: true))
        tell(.listed(name: "Carla", port: 40_127, isUsualPort: false))
        console.emit(ListeningReport(facts: facts))
        let phones = [
            PhonesPromptTests.phone(1, "Fancy Apple", model: "iPhone"),
            PhonesPromptTests.phone(2, "Anna’s phone", .confirmed, model: "Pixel 8"),
            PhonesPromptTests.phone(3, "Anna’s phone", .changed),
            PhonesPromptTests.phone(4, "Old Pear", isEncrypted: false),
        ]
        let region = try region()
        let kinds: [DownloadKind] = [.html, .sqlitedb, .mbtiles, .gpx, .pdf]
        console.tell(PhonesPrompt(phones, [region], [region.id: kinds]).text)
        let personal = PersonalPageQuestion(personal, on: .localSend(isEncrypted: true))
        console.tell("\(personal.introduction ?? "")\n\(personal.question)")
        console.tell(PhonePINQuestion(phones[0], isAfterWrong: false).question)
        var transfer = LocalSendTransfer(number: 1, phone: phones[0], name: "Coma Pedrosa.html", size: 69_000_000)
        tell(.sending(transfer))
        (transfer.state, transfer.bytes, transfer.secondsLeft) = (.running, 31_000_000, 20)
        console.tell(transfer.line)
        transfer.state = .complete
        tell(.sending(transfer))
        let name = PhoneNameQuestion(phones[0])
        console.tell("\(name.introduction)\n\(name.question)")
        let ends: [LocalSendEnd] = [
            .declined, .noPIN, .wrongPIN, .busy, .cancelledThere, .unreachable, .otherDevice, .lost, .damaged,
            .failedThere(status: 507),
        ]
        for (index, end) in ends.enumerated() {
            (transfer.number, transfer.state) = (index + 2, .ended(end))
            tell(.sending(transfer))
        }
        tell(.doubt(name: "Anna’s phone", isChanged: true))
        for trouble in [.noMulticast, .noNetwork, .port(reason: "permission denied")] as [LocalSendTrouble] {
            tell(.trouble(trouble))
        }
    }
}

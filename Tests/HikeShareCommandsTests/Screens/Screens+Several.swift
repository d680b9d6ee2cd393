import Foundation
import SharingReports
import SharingTestSupport

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Several regions of one sender, and a receiver that stays.
extension Screens {
    static func sendSeveral(_ console: Console) throws {
        guard var facts = try listening() else { return }
        let names = [
            "Coma Pedrosa", "Andorra", "Pirineus Occidentals i Val d’Aran", "Alt Urgell", "Cerdanya", "Ripollès",
        ]
        facts.offers = try names.enumerated().map { index, name in
            (region: try Sample.region(name: name), size: UInt64(index + 1) * 2_775_000)
        }
        console.emit(ListeningReport(facts: facts))
        let invitation = InvitationQuestion(
            peer: Sample.remotePeer(name: "Ben"),
            regionName: "Coma Pedrosa",
            regionCount: 6,
            personal: personal,
            digits: digits
        )
        console.tell(invitation.introduction(in: .seconds(60)))
        console.setQuestion("\(invitation.question) [y/N] ")
        for name in ["Coma Pedrosa", "Alt Urgell"] {
            var report = finished(.success(TransferReceipt(imported: ["mbtiles": 1, "waypoints": 46])))
            (report.region, report.isOneOfSeveral) = (try Sample.region(name: name), true)
            console.emit(report)
        }
        let refusal = PeerError(.declined, "The other side declined: the person there said no.")
        var declined = finished(.failure(refusal))
        (declined.region, declined.isOneOfSeveral) = (try Sample.region(name: "Andorra"), true)
        console.emit(declined)
    }

    static func receiveList(_ console: Console) throws {
        var report = CatalogueFacts(
            peer: Sample.remotePeer(name: name),
            items: try Sample.catalogue(),
            unreadableCount: 1
        )
        report.items[2].localName = "Pirineus (2019)"
        report.usual = CatalogueWish.usual.ids(of: report.items)
        console.tell(report.text)
        console.setQuestion(report.question)
        report.digits = digits
        report.usual = []
        console.tell("With digits:")
        console.setQuestion(report.question)
        report.offeredCount = report.items.count
        report.items = Array(report.items.prefix(2))
        report.unreadableCount = 0
        console.tell(report.text)
        console.setQuestion(report.question)
    }

    static func receiveKeep(_ console: Console) throws {
        let peer = Sample.remotePeer(name: name)
        let received = ReceivedRegion(
            regionID: try Sample.uuid(),
            regionName: "Coma Pedrosa",
            result: TransferReceiver.Result(
                peer: peer,
                receipt: TransferReceipt(imported: ["mbtiles": 1, "waypoints": 3]),
                bytesTransferred: 1_200_000,
                bytesSaved: 1_000_000
            )
        )
        console.emit(.kept(received))
        let region = try region().region
        for (reason, kinds) in [
            (.ownEdits, [.waypoints, .savedroutes]), (.olderMap, [.mbtiles, .routing]), (.anotherArea, [.mbtiles]),
            (.tooManyTiles, [.mbtiles]), (.unknownAge, [.mbtiles]), (.anotherSigner, [.mbtiles]), (.notTrusted, []),
        ] as [(KeepRule.Reason, Set<ResourceKind>)] {
            let newer = MapAges(
                offered: MapEdition(date: reason == .unknownAge ? nil : Sample.date - 86_400),
                local: MapEdition(date: Sample.date)
            )
            let report = KeepLeftOut(peer: peer, region: region, reason: reason, kinds: kinds, ages: newer)
            console.emit(report)
        }
    }
}

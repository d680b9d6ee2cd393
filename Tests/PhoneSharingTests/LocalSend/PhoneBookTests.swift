import Foundation
import LocalSend
import PeerCore
import PeerProtocol
import RegionSharing
import RegionStore
import Testing

@testable import PhoneSharing

@Suite struct PhoneBookTests {
    private static let id = ContentDigest(hashing: [1])
    private static let date = Date(timeIntervalSince1970: 1_770_307_200)
    private static let book = PhoneBook([
        ConfirmedPhone(id: id, name: "Anna's phone", alias: "Nice Mango", confirmedAt: date, seenAt: date)
    ])

    private static func fingerprint(_ byte: UInt8) -> LocalSendFingerprint? {
        LocalSendFingerprint(ContentDigest(hashing: [byte]).hex)
    }

    @Test func aConfirmedPhoneHasItsName() {
        let known = Self.book.recognise(Self.fingerprint(1), callingItself: "Wise Grape")
        #expect(known.name == "Anna's phone" && known.recognition == .confirmed)
    }

    /// A device without a proof never is the confirmed one, whatever it calls itself.
    @Test(
        arguments: [
            (2, "Nice Mango", .changed), (2, "nice  mango", .changed), (2, "Аnnа's phone", .changed),
            (2, "Anna’s phone", .changed), (2, "Anna＇s phone", .changed),
            (2, "Wise Grape", .new), (nil, "Nice Mango", .changed), (nil, "Wise Grape", .new),
        ] as [(UInt8?, String, LocalSendPhone.Recognition)]
    )
    func anotherOneIsNew(byte: UInt8?, alias: String, recognition: LocalSendPhone.Recognition) {
        let other = Self.book.recognise(byte.flatMap { Self.fingerprint($0) }, callingItself: alias)
        #expect(other.name == alias && other.recognition == recognition)
    }
}

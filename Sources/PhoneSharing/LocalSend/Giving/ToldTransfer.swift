import PeerCore
import RegionSharing
import Synchronization

/// A file for a phone, as the person hears of it.
final class ToldTransfer: Sendable {
    private let transfer: Mutex<LocalSendTransfer>
    private let person: any Person

    init(_ transfer: LocalSendTransfer, _ person: any Person) {
        self.transfer = Mutex(transfer)
        self.person = person
        person.tell(.phones(.localSend(.sending(transfer))))
    }

    /// Whether bytes are left to be sent.
    var isIncomplete: Bool { transfer.withLock { $0.bytes < $0.size } }

    /// Changes what is known, and tells it if it is news; nothing comes after the end.
    func change(_ body: (inout LocalSendTransfer) -> Void) {
        transfer.withLock { transfer in
            guard !transfer.isOver else { return }
            let before = transfer
            body(&transfer)
            // Under the lock, so that an older state never comes after a newer one.
            if transfer != before { person.tell(.phones(.localSend(.sending(transfer)))) }
        }
    }

    /// So many bytes were sent, and this is the place among others, with the time that the rest takes.
    func sent(_ bytes: UInt64? = nil, at place: TransferTurn?) {
        change { transfer in
            if let bytes { transfer.bytes = min(bytes, transfer.size) }
            transfer.turn = place.flatMap { $0.count > 1 ? $0 : nil }
            transfer.secondsLeft = place?.timeLeft.map { $0 / .seconds(1) }
        }
    }
}

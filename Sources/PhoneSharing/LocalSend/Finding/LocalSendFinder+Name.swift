import LocalSend
package import RegionSharing
import RegionStore
import Synchronization

extension LocalSendFinder {
    /// Asks what a phone is called here, after something was shared with it, and keeps the answer.
    ///
    /// It is asked once for each phone that is new and has proven itself. An error of the store is only a name that is not kept.
    package func askForName(of phone: LocalSendPhone) async {
        guard phone.recognition != .confirmed, let fingerprint = phone.fingerprint,
            state.withLock({ $0.asked.insert(fingerprint).inserted }),
            let name = try? await person.ask(PhoneNameQuestion(phone))
        else { return }
        try? remember(phone, as: name)
    }
}

import MapPages
import PeerCore
import RegionSharing
import Synchronization
import WebServer

/// Keeps a person informed about the running downloads from the page for phones.
final class ToldDownloads: Sendable {
    private let person: any Person
    private let running = Mutex<[Int: PhoneDownload]>([:])

    private let turn: @Sendable (_ client: String) -> TransferTurn?

    /// Creates it; `turn` returns the place of the downloads of a phone among others.
    init(_ person: any Person, turn: @escaping @Sendable (_ client: String) -> TransferTurn? = { _ in nil }) {
        (self.person, self.turn) = (person, turn)
    }

    func note(_ event: WebFile.Event, of file: ShareSite.Download) {
        let place = turn(file.client)
        let current = running.withLock { running in
            var current =
                running[file.number]
                ?? PhoneDownload(number: file.number, client: file.client, name: file.name, size: file.size)
            switch event {
            case .sent(let position): current.sent(upTo: position)
            case .ended(let isComplete): current.ended(isComplete: isComplete)
            }
            current.turn = place
            running[file.number] = current.state == .running ? current : nil
            return current
        }
        person.tell(.phones(.download(current)))
    }
}

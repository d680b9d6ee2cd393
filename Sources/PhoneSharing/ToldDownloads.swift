import MapPages
import RegionSharing
import Synchronization
import WebServer

/// The downloads from the page for phones that run, of whose state a person is told.
final class ToldDownloads: Sendable {
    private let person: any Person
    private let running = Mutex<[Int: PhoneDownload]>([:])

    init(_ person: any Person) { self.person = person }

    /// Tells what has happened to a download.
    func note(_ event: WebFile.Event, of file: ShareSite.Download) {
        let current = running.withLock { running in
            var current =
                running[file.number]
                ?? PhoneDownload(number: file.number, client: file.client, name: file.name, size: file.size)
            switch event {
            case .sent(let position): current.sent(upTo: position)
            case .ended(let isComplete): current.ended(isComplete: isComplete)
            }
            running[file.number] = current.state == .running ? current : nil
            return current
        }
        person.tell(.phones(.download(current)))
    }
}

import Glibc
import LocalSend
import MapPages
import PeerProtocol
import PeerStorage
import RegionSharing
import RegionStore
import Synchronization
import WebServer

// The files that come.
extension LocalSendTaker {
    /// A phone begins to send a file.
    ///
    /// - Parameter length: The length of the content, in bytes; nil if the phone does not state it.
    /// - Throws: `WebRefusal` with the answer.
    func begin(
        _ session: String,
        _ file: String,
        _ token: String,
        from client: LocalSendClient,
        length: UInt64?
    ) throws -> LocalSendUpload {
        let (decision, phone, number) = contents.withLock { contents in
            let decision = contents.machine.begin(session, file, token, from: client, length: length, at: .now)
            let phone = contents.lists[session]?.phone
            if case .answer(_, .some) = decision { _ = contents.end(session) }
            contents.uploadCount += 1
            return (decision, phone, contents.uploadCount)
        }
        guard case .take(let described) = decision, let phone else {
            if case .answer(let status, _) = decision { throw WebRefusal(WebResponse(status)) }
            throw WebRefusal(WebResponse(.refused))
        }
        let place = LocalSendUpload.Place(session: session, file: file)
        do {
            let kept = TakenFile(file: try folder().file(), sent: PhoneFile(described, of: phone))
            return LocalSendUpload(kept, at: place, number, hashes: described.sha256 != nil, for: self)
        } catch {
            _ = end(place, .notKept, nil)
            throw WebRefusal(WebResponse(.failed, Self.notWritten))
        }
    }

    /// What a phone reads if this machine could not keep a file.
    static let notWritten = "The laptop could not write the file to its disk."

    /// Returns how much of a file may come; nil if none of it.
    func expectedSize(_ session: String, _ file: String) -> UInt64? {
        contents.withLock { contents in
            contents.machine.session(session)?.receptions?.first { $0.file.id == file }?.file.size
        }
    }

    /// Returns whether so much of a file may come.
    func arrived(_ place: LocalSendUpload.Place, _ length: UInt64) -> Bool {
        contents.withLock { $0.machine.arrived(place.session, place.file, length, at: .now) == .proceed }
    }

    /// A file has ended; one that is whole waits for a decision now.
    func end(
        _ place: LocalSendUpload.Place,
        _ end: IncomingLocalSend.FileEnd,
        _ file: TakenFile?
    ) -> LocalSendStatus {
        contents.withLock { contents in
            let ended = contents.machine.ended(place.session, place.file, end, at: .now)
            if ended.status == .ok, let file {
                contents.lists[place.session]?.used += file.sent.size
                contents.lists[place.session]?.arrivals.yield(file)
            }
            if ended.ending != nil { _ = contents.end(place.session) }
            return ended.status
        }
    }
}

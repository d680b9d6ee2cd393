import LocalSend
import PeerStorage

/// A file that a phone gets, and what it is told of it.
struct PhoneContent: Sendable {
    var file: OpenFile
    var description: LocalSendFile
}

public import PeerCore
import RegionStore

/// From whom to receive.
public struct SenderQuestion: Question {
    /// The senders.
    public let list: SenderList
    /// What takes the place of the list while the person thinks.
    public let later: AsyncStream<SenderList>

    /// None.
    public var defaultAnswer: SenderAnswer { .declined }
}

/// The sender that a person picks.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum SenderAnswer: Hashable, Sendable {
    /// The sender with a number or a name, or whose region has the name; a yes, or nothing, if there is only one.
    case words(String)
    /// The sender of a share link.
    case link(ShareLink)
    /// None.
    case declined

    /// Reads a line that is no share link; nil is the end of the input.
    public init(_ line: String?) {
        let word = line?.filter { !$0.isWhitespace }.lowercased()
        guard let line, let word, !["n", "no", "q"].contains(word) else {
            self = .declined
            return
        }
        self = .words(line)
    }
}

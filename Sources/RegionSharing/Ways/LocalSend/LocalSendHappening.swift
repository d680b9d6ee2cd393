public import PeerCore
import RegionStore

/// Something about phones that have LocalSend.
///
/// A file of which more arrives is told as ``PhoneHappening/upload(_:)``, like one of the page for phones.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum LocalSendHappening: Sendable {
    /// This machine is in the lists of phones, under a name, on a port that is not always the usual one.
    case listed(name: String, port: Int, isUsualPort: Bool)
    /// Phones are not found, or do not find this machine; told once.
    case trouble(LocalSendTrouble)
    /// The phones that are there now, in the order of their numbers.
    case phones([LocalSendPhone])
    /// Nothing is sent to a wanted phone for now: several phones claim the name, or another device than the confirmed one does.
    case doubt(name: String, isChanged: Bool)
    /// A file for a phone has begun, continued or ended.
    case sending(LocalSendTransfer)
    /// A phone has sent a text.
    case text(String, from: LocalSendPhone)
    /// A phone has sent the share link of a sender as a text.
    case link(ShareLink, from: LocalSendPhone)
    /// Files that a phone has sent together were not added.
    case leftOut([PhoneLeftOut], from: LocalSendPhone)
    /// A phone has stopped what it wanted to send, or is gone.
    case stopped(by: LocalSendPhone)
}

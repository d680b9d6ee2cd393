public import PeerCore
public import RegionStore

/// What happens while regions are sent.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum SendingHappening: Sendable {
    /// A region is left out, because it cannot be sent so.
    case leftOut(RegionSummary, RegionStoreError)
    /// A part of the map of a region is made, for a receiver or for all: the number of written bytes and their total number, both
    /// approximate; nil at the end.
    case cutting(RegionSummary, for: RemotePeer?, bytes: (done: Int64, total: Int64)?)
    /// Items are not sent because they lie outside the part of the map: their numbers, and the receiver of the part; nil for all.
    case outside(RegionSource, receiver: RemotePeer?)
    /// So many photos are not sent, because what they say of the camera, the place and the time cannot be taken out.
    case withheldPhotos(Int)
    /// The routing file of a region is missing.
    case missingRouting(RegionSummary)
    /// The sender can be reached.
    case listening(ListeningFacts)
    /// Its addresses have changed.
    case moved(AddressChange)
    /// It is announced under a name; whether it was not for a while.
    case advertised(String, isBack: Bool)
    /// Another machine has the name, so it is announced under this one.
    case renamed(String)
    /// It is not announced for now.
    case withdrawn
    /// A machine nearby hears this one and cannot connect to it; told once for each machine, and for a few of them.
    case unreachable(UnreachableReceiver)
    /// A receiver asks for the regions; whether it is let in without a question.
    case invited(InvitationQuestion, isWelcome: Bool)
    /// A transfer has changed.
    case progress(TransferUpdate)
    /// A transfer has ended.
    case sent(SentFacts)
    /// A region has changed, and receivers get it as it was.
    case changed(RegionSummary, RegionWatch.Change)
    /// No receiver has come for a while, so the sender ends.
    case served
}

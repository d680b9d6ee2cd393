public import PeerCore
public import RegionStore

/// The invitation of a receiver that asks for regions: whether to let it in.
public struct InvitationQuestion: Question {
    /// What a person answers.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Answer: Hashable, Sendable {
        /// Let it in; the digits are the same on both screens.
        case yes
        case no(SentFacts.Decline)
    }

    /// The receiver.
    public var peer: RemotePeer
    /// The region, the first one of several.
    public var regionName: String
    /// How many regions it can pick from.
    public var regionCount = 1
    /// What of them concerns a person.
    public var personal = PersonalContent()
    /// The part of the map that the receiver asks for; nil for the whole map.
    package var part: CutDescription?
    /// The digits to compare; nil if there are none.
    public var digits: PairingDigits?
    /// The place that the receiver would have; nil if nothing is known.
    public var turn: TransferTurn?
    /// The time until which the receiver waits for the answer.
    public var end = ContinuousClock.now + ConnectionConfiguration().invitationTimeout

    /// The receiver is not let in.
    public var defaultAnswer: Answer { .no(.nobodyToAsk) }
}

extension InvitationQuestion {
    /// Creates the question about an invitation to a sender of some regions.
    init(_ invitation: Invitation, to regions: [RegionSummary], _ personal: PersonalContent) throws {
        self.init(peer: invitation.peer, regionName: regions.first?.name ?? "", regionCount: regions.count)
        (self.personal, digits, turn) = (personal, invitation.pairing, invitation.turn)
        if let context = invitation.context, let region = regions.first {
            part = try CutRequest(parsing: context).description(of: region)
        }
    }
}

extension CutRequest {
    /// Returns what a receiver asks for of the map of a region.
    fileprivate func description(of region: RegionSummary) -> CutDescription {
        // Within the limits that the part will have.
        let distance = CutRule(within: distance ?? CutRule.usualDistance).distance
        return CutDescription(
            names: names + routes,
            distance: lines.isEmpty && routes.isEmpty ? nil : distance,
            area: area,
            maximumZoom: maximumZoom,
            wholeTileCount: region.tileCount,
            wholeSize: Int64(clamping: region.mapSize)
        )
    }
}

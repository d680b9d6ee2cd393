import Foundation
import NearbyPeers

/// One action of a caregiver, such as a meal or a nap.
struct Action: Codable, Sendable {
    var id: UUID
    var text: String
    var at: Date
}

/// What a side can take.
struct Capabilities: PeerRequest {
    static let messageName = "capabilities"
    typealias Response = Capabilities
    /// The longest message, in bytes of JSON.
    var maximumMessageLength: Int
}

/// The whole profile, or its beginning if it is longer than a message may be.
struct ProfileSnapshot: PeerRequest {
    static let messageName = "profile.snapshot"
    typealias Response = Acknowledgement
    var child: String
    var actions: [Action]
}

/// Actions that have been added, in the first version of the program.
struct ActionsDelta: PeerRequest {
    static let messageName = "actions.delta"
    typealias Response = Acknowledgement
    var actions: [Action]
}

/// The same in the second version, which can say who did it; what is new is optional, so it reads the first version, too.
struct SignedDelta: PeerRequest {
    static let messageName = "actions.delta"
    static let messageVersion = 2
    typealias Response = Acknowledgement
    var actions: [Action]
    var author: String?
}

/// A message that the first version of the program does not know.
struct Reminder: PeerMessage {
    static let messageName = "reminder"
    var text: String
}

/// The receipt of a snapshot or a delta.
struct Acknowledgement: Codable, Sendable {
    var receipt: UUID
    var at: Date
}

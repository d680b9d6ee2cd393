package import NetworkManager
import PeerCore

/// Whether the person has joined a network, which the program cannot.
package struct JoinByHandQuestion: Question {
    /// What the person has done.
    package enum Answer: Hashable, Sendable {
        case joined
        case declined
        /// No question was asked.
        case notAsked
    }

    /// The name of the network.
    package var name: String
    package var password: String
    /// Why the program cannot join it.
    package var reason: NetworkManagerError

    package var defaultAnswer: Answer { .notAsked }
}

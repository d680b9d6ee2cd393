import PeerCore

/// Which network of a sender to join.
package struct NetworkChoiceQuestion: Question {
    package let names: [String]

    /// None.
    package var defaultAnswer: String? { nil }
}

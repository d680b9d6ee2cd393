package import Sentences

/// An error with hints about this machine.
package struct HintedError: Error {
    package var underlying: any Error
    /// What stands in the way on this machine.
    package var hints: [Hint] = []
    /// The message that a person has read before the hints were looked for; nil for none.
    package var told: Sentence?

    package init(underlying: any Error, hints: [Hint] = [], told: Sentence? = nil) {
        (self.underlying, self.hints, self.told) = (underlying, hints, told)
    }
}

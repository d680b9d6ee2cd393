package import RegionSharing

/// A question that can be asked in the window.
package protocol WindowQuestion<Answer>: Question {
    /// Asks it in words, with buttons, boxes or a field.
    func ask(_ person: WindowPerson) async throws -> Answer
}

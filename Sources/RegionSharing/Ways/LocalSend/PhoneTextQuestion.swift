/// Whether a text that a phone wants to send by LocalSend is taken; nil without an answer in time.
package struct PhoneTextQuestion: Question {
    /// What the text is.
    package enum Content: Hashable, Sendable {
        /// Words of so many characters, which are shown after a yes.
        case words(count: Int)
        /// The share link of a sender, from whom is received after a yes if this machine looks for one.
        case link(isTaken: Bool)
    }

    package var phone: LocalSendPhone
    package var content: Content
    /// The time in which it must be answered: phones wait no longer.
    package var patience: Duration

    package var defaultAnswer: Bool? { nil }

    package init(_ phone: LocalSendPhone, _ content: Content, patience: Duration = PhoneFileQuestion.usualPatience) {
        (self.phone, self.content, self.patience) = (phone, content, patience)
    }
}

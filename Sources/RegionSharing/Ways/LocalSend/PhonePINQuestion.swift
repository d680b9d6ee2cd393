/// The PIN that a phone asks for; nil for none.
package struct PhonePINQuestion: Question {
    package var phone: LocalSendPhone
    /// Whether the last one was wrong.
    package var isAfterWrong: Bool

    package var defaultAnswer: String? { nil }

    package init(_ phone: LocalSendPhone, isAfterWrong: Bool) {
        (self.phone, self.isAfterWrong) = (phone, isAfterWrong)
    }
}

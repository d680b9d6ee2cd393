/// What a phone is called here from now on, now that a person has shared something with it; nil if it is not remembered.
///
/// It makes no machine trusted. It only says that the same device is there again.
package struct PhoneNameQuestion: Question {
    package var phone: LocalSendPhone

    package var defaultAnswer: String? { nil }

    package init(_ phone: LocalSendPhone) { self.phone = phone }
}

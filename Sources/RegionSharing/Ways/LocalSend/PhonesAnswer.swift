/// What a person wants of a phone in the list.
package enum PhonesAnswer: Hashable, Sendable {
    /// It gets a file.
    case send(PhoneChoice)
    /// What is being sent to it is stopped.
    case stop(LocalSendPhone)
}

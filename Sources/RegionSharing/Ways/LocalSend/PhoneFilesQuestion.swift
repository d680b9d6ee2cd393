/// Whether a phone may send these files by LocalSend; nil without an answer in time.
///
/// Nothing but the list has come. What is in each file is asked about before it is added, as with files of the page for phones.
package struct PhoneFilesQuestion: Question {
    package var phone: LocalSendPhone
    /// The files, as the phone describes them.
    package var files: [PhoneFile]
    /// The time in which it must be answered: phones wait no longer.
    package var patience: Duration

    package var defaultAnswer: Bool? { nil }

    package init(_ phone: LocalSendPhone, _ files: [PhoneFile], patience: Duration = PhoneFileQuestion.usualPatience) {
        (self.phone, self.files, self.patience) = (phone, files, patience)
    }
}

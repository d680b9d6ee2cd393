package import RegionSharing
package import Sentences

extension LocalSendEnd {
    /// Why a phone does not have a file, for a row of a list.
    package var words: String {
        switch self {
        case .declined: "did not want it"
        case .notNeeded: "needs nothing of it"
        case .noPIN: "wants a PIN"
        case .wrongPIN: "the PIN was wrong"
        case .busy: "is busy"
        case .cancelledThere: "stopped there"
        case .stoppedHere: "stopped"
        case .unreachable: "does not answer"
        case .otherDevice: "another device answered"
        case .lost: "connection lost"
        case .damaged: "arrived damaged"
        case .noFile: "no file"
        case .failedThere: "could not take it"
        }
    }

    /// Whether it may come when a part of the file is there already.
    package var isAfterBeginning: Bool {
        switch self {
        case .cancelledThere, .stoppedHere, .lost, .damaged: true
        case .declined, .notNeeded, .noPIN, .wrongPIN, .busy, .unreachable, .otherDevice, .noFile, .failedThere: false
        }
    }

    /// Why a phone does not have a file, as a sentence.
    package func reason(_ phone: LocalSendPhone) -> Sentence {
        let title = phone.title.string
        return switch self {
        case .declined: "The person at \(title) said no."
        case .notNeeded: "\(title) says that it needs nothing of it."
        case .noPIN: "\(title) wants a PIN."
        case .wrongPIN: "The PIN of \(title) was wrong."
        case .busy: "\(title) sends or receives something else now."
        case .cancelledThere: "It was stopped on \(title)."
        case .stoppedHere: "Sending to \(title) was stopped."
        case .unreachable: "\(title) does not answer."
        case .otherDevice: "Another device answers at the address of \(title), so nothing was sent."
        case .lost: "The connection to \(title) was lost."
        case .damaged: "What arrived at \(title) was damaged each time."
        case .noFile(let why): Sentence(known: why)
        case .failedThere(status: 429): "\(title) takes nothing from this laptop for now, after too many tries."
        case .failedThere(let status): "\(title) could not take it (its answer: \(status))."
        }
    }

    /// What a person can do; nil if nothing needs to be done.
    package var advice: Remedy? {
        switch self {
        case .declined: Advice("Ask there, and send it again.")
        case .notNeeded, .stoppedHere, .noFile: nil
        case .cancelledThere: Advice("To try again, send it again.")
        case .noPIN:
            .typed(
                "Give it with --phone-pin, or send in a terminal, which asks for it. LocalSend has it in its settings.",
                window: "Send it again, and type the PIN. LocalSend has it in its settings."
            )
        case .wrongPIN: Advice("LocalSend has it in its settings. Wait a minute, and send it again.")
        case .busy: Advice("Send it again when that is done.")
        case .unreachable:
            Advice("Open LocalSend there, keep the screen on, and stay in the same network. Then send it again.")
        case .otherDevice:
            Advice("Open LocalSend there again, and wait until it is in the list. If this comes back, send nothing.")
        case .lost: Advice("Keep the screen on there, come closer, and send it again.")
        case .damaged: Advice("Send it again.")
        case .failedThere(status: 429): Advice("Wait some minutes, and send it again.")
        case .failedThere: Advice("See whether it has space left, and send it again.")
        }
    }

    /// The value in JSON.
    package var json: String {
        switch self {
        case .declined: "declined"
        case .notNeeded: "notNeeded"
        case .noPIN: "noPIN"
        case .wrongPIN: "wrongPIN"
        case .busy: "busy"
        case .cancelledThere: "cancelledThere"
        case .stoppedHere: "stoppedHere"
        case .unreachable: "unreachable"
        case .otherDevice: "otherDevice"
        case .lost: "lost"
        case .damaged: "damaged"
        case .noFile: "noFile"
        case .failedThere: "failedThere"
        }
    }
}

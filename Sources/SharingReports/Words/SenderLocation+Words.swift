package import PeerCore

extension SenderLocation {
    /// Returns an error of a sender in words that fit the receiver's side, and the way to the sender.
    package func explained(_ error: any Error) -> any Error {
        guard var error = error as? PeerError else { return error }
        if error.code == .peerCancelled {
            error.message = error.message.replacing("The other side stopped", with: "The sender has stopped")
        }
        guard case .link = self, error.code == .notTrusted else { return error }
        error.message = "This link belongs to another laptop than the one that answers, or its address has changed."
        error.remedy = "Ask for the link that is on the sender's screen now."
        return error
    }
}

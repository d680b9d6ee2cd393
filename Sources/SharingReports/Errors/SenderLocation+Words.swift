package import PeerCore

extension SenderLocation {
    /// Returns an error of a sender in words that fit the receiver's side, and the way to the sender.
    package func explained(_ error: any Error) -> any Error {
        guard let error = error as? PeerError else { return error }
        if error.code == .peerCancelled {
            return error.saying(error.message.replacing("The other side stopped", with: "The sender has stopped"))
        }
        guard case .link = self, error.code == .notTrusted else { return error }
        return
            error
            .saying("This link belongs to another laptop than the one that answers, or its address has changed.")
            .advising("Ask for the link that is on the sender's screen now.")
    }
}

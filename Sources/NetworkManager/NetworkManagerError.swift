/// An error of making or joining a Wi-Fi network: what went wrong, why, and what a person can do about it.
package struct NetworkManagerError: Error, Hashable, Sendable {
    /// The kind of an error, for programs.
    package enum Code: String, Sendable, CaseIterable {
        /// NetworkManager does not run on this machine.
        case noNetworkManager
        /// Networking is switched off in NetworkManager.
        case networkingOff
        /// Wi-Fi is switched off, by software or by a switch.
        case wifiOff
        /// There is no Wi-Fi card.
        case noWiFi
        /// NetworkManager does not manage the card.
        case unmanaged
        /// The card cannot be used now.
        case unavailable
        /// The card cannot be an access point, or cannot encrypt as one.
        case noAccessPointMode
        /// The card cannot use the band or the channel.
        case noChannel
        /// This user does not have the permission.
        case noPermission
        /// No network of that name is within reach.
        case notFound
        /// The password is wrong.
        case wrongPassword
        /// Any other failure.
        case failed
        /// The network was not ready in time.
        case timedOut
        /// The network has ended.
        case ended
    }

    /// The kind of the error.
    package var code: Code

    /// What went wrong, and why.
    package var message: String

    /// What the person can do; nil if nothing helps.
    package var remedy: String?

    package init(_ code: Code, _ message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}

extension NetworkManagerError: CustomStringConvertible {
    /// The code, the message and the remedy on one line.
    package var description: String {
        [code.rawValue + ":", message, remedy].compactMap { $0 }.joined(separator: " ")
    }
}

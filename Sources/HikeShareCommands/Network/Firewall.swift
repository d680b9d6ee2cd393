import Diagnosis

extension Firewall {
    /// Returns the command that lets receivers connect to a TCP port of this machine in its own Wi-Fi network.
    ///
    /// firewalld has a zone of its own for such networks. ufw would also keep receivers from getting an address.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - interface: The interface of the network; nil for no network of its own.
    /// - Returns: The command.
    func command(opening port: Int, forHotspotOn interface: String?) -> String {
        guard let interface else { return command(opening: port) }
        switch self {
        case .ufw: return "sudo ufw allow in on \(interface)"
        case .firewalld: return "sudo firewall-cmd --zone=nm-shared --add-port=\(port)/tcp --add-service=mdns"
        case .nftables: return "sudo nft insert rule inet filter input iifname \(interface) accept"
        }
    }

    /// What to do on the sender if it did not answer at a port, whichever firewall it has.
    static func hints(forPort port: Int) -> [DisplayText] {
        allCases.map { "If the sender has the firewall \($0.rawValue), run there:  \($0.command(opening: port))" }
    }
}

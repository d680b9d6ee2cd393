/// The programs that manage the firewall of a Linux machine.
package enum Firewall: String, CaseIterable, Sendable {
    case ufw
    case firewalld
    case nftables

    /// Returns the command that lets peers connect to a TCP port of this machine.
    package func command(opening port: Int) -> String {
        switch self {
        case .ufw: "sudo ufw allow \(port)/tcp"
        case .firewalld: "sudo firewall-cmd --permanent --add-port=\(port)/tcp && sudo firewall-cmd --reload"
        case .nftables: "sudo nft insert rule inet filter input tcp dport \(port) accept"
        }
    }

    /// The command that lets packets of multicast DNS in.
    package var commandForDiscovery: String {
        switch self {
        case .ufw: "sudo ufw allow 5353/udp"
        case .firewalld: "sudo firewall-cmd --permanent --add-service=mdns && sudo firewall-cmd --reload"
        case .nftables: "sudo nft insert rule inet filter input udp dport 5353 accept"
        }
    }

    /// The command that lets packets of multicast DNS out.
    package var commandForQuestions: String {
        switch self {
        case .ufw: "sudo ufw allow out 5353/udp"
        case .firewalld: "sudo firewall-cmd --list-all-policies"
        case .nftables: "sudo nft insert rule inet filter output udp dport 5353 accept"
        }
    }
}

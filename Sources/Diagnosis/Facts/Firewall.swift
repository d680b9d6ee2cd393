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

    /// The command that lets packets of multicast DNS out, or shows the rules.
    package var commandForQuestions: String {
        switch self {
        case .ufw: "sudo ufw allow out 5353/udp"
        case .firewalld: Self.listOfPolicies
        case .nftables: "sudo nft insert rule inet filter output udp dport 5353 accept"
        }
    }

    /// Returns the command that lets connections to a TCP port of other machines out, or shows the rules.
    package func command(lettingOutTo port: Int) -> String {
        switch self {
        case .ufw: "sudo ufw allow out \(port)/tcp"
        case .firewalld: Self.listOfPolicies
        case .nftables: "sudo nft insert rule inet filter output tcp dport \(port) accept"
        }
    }

    /// What to do so that something gets out, before the command for that.
    package func remedyForOutgoing(_ what: String) -> String {
        // A policy of its own blocks them, and only the person knows its name.
        self == .firewalld ? "Change the policy of firewalld that blocks them. To see the rules:" : "Let \(what) out:"
    }

    private static let listOfPolicies = "sudo firewall-cmd --list-all-policies"
}

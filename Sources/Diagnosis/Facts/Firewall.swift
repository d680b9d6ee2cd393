/// The programs that manage the firewall of a Linux machine.
package enum Firewall: String, CaseIterable, Sendable {
    case ufw
    case firewalld
    case nftables
    case iptables

    /// Returns the command of a firewall.
    ///
    /// If the firewall is not known, rules may have been written for nftables or for iptables, and both commands may be run.
    static func command(of firewall: Firewall?, _ command: (Firewall) -> String) -> String {
        firewall.map(command) ?? [nftables, iptables].map(command).joined(separator: "; ")
    }

    /// Returns the command that lets peers connect to a TCP port of this machine.
    package func command(opening port: Int) -> String {
        switch self {
        case .ufw: "sudo ufw allow \(port)/tcp"
        case .firewalld: "sudo firewall-cmd --permanent --add-port=\(port)/tcp && sudo firewall-cmd --reload"
        case .nftables: "sudo nft insert rule inet filter input tcp dport \(port) accept"
        case .iptables: Self.iptables("INPUT", "tcp", port)
        }
    }

    /// The command that lets packets of multicast DNS in.
    package var commandForDiscovery: String {
        switch self {
        case .ufw: "sudo ufw allow 5353/udp"
        case .firewalld: "sudo firewall-cmd --permanent --add-service=mdns && sudo firewall-cmd --reload"
        case .nftables: "sudo nft insert rule inet filter input udp dport 5353 accept"
        case .iptables: Self.iptables("INPUT", "udp", 5353)
        }
    }

    /// The command that lets packets of multicast DNS out, or shows the rules.
    package var commandForQuestions: String {
        switch self {
        case .ufw: "sudo ufw allow out 5353/udp"
        case .firewalld: Self.listOfPolicies
        case .nftables: "sudo nft insert rule inet filter output udp dport 5353 accept"
        case .iptables: Self.iptables("OUTPUT", "udp", 5353)
        }
    }

    /// Returns the command that lets connections to a TCP port of other machines out, or shows the rules.
    package func command(lettingOutTo port: Int) -> String {
        switch self {
        case .ufw: "sudo ufw allow out \(port)/tcp"
        case .firewalld: Self.listOfPolicies
        case .nftables: "sudo nft insert rule inet filter output tcp dport \(port) accept"
        case .iptables: Self.iptables("OUTPUT", "tcp", port)
        }
    }

    /// What to do so that something gets through, before the command of a firewall.
    static func remedy(_ firewall: Firewall?, for direction: Direction) -> String {
        switch firewall {
        // A policy of its own blocks them, and only the person knows its name.
        case .firewalld where direction == .out: "Change the policy of firewalld that blocks them. To see the rules:"
        case nil: "Let them \(direction), with \(ofUnknownRules):"
        default: "Let them \(direction):"
        }
    }

    /// What to look for if rules may have been written by hand; nftables refuses a command for a table that does not exist.
    package static let ofUnknownRules =
        "nftables (if its table is another one than 'inet filter', name that; 'sudo nft list ruleset' shows it) or iptables "
        + "(for IPv6, ip6tables)"

    /// Whether packets come in or go out.
    enum Direction: String, CustomStringConvertible {
        case `in`, out

        var description: String { rawValue }
    }

    /// The command that lets packets to a port through a chain of iptables.
    private static func iptables(_ chain: String, _ kind: String, _ port: Int) -> String {
        "sudo iptables -I \(chain) -p \(kind) --dport \(port) -j ACCEPT"
    }

    private static let listOfPolicies = "sudo firewall-cmd --list-all-policies"
}

/// The programs that manage the firewall of a Linux machine.
package enum Firewall: String, CaseIterable, Sendable {
    case ufw
    case firewalld
    case nftables
    case iptables
}

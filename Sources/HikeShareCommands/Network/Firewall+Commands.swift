import Diagnosis
import SharingReports

extension Firewall {
    /// Returns the command that lets receivers connect to a TCP port of this machine in its own Wi-Fi network.
    ///
    /// The rules hold for that network only, and let in what receivers need: requests for an address (UDP port 67), discovery
    /// (UDP port 5353) and the port. firewalld has a zone of its own for networks that give addresses.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - interface: The interface of the network; nil for no network of its own.
    ///   - givesAddresses: Whether this machine gives addresses to others in that network.
    /// - Returns: The command.
    func command(opening port: Int, forHotspotOn interface: String?, givesAddresses: Bool) -> String {
        guard let interface else { return command(opening: port) }
        let ports = (givesAddresses ? [(67, "udp")] : []) + [(5353, "udp"), (port, "tcp")]
        func each(_ rule: (Int, String) -> String) -> String { ports.map(rule).joined(separator: " && ") }
        switch self {
        case .ufw: return each { "sudo ufw allow in on \(interface) to any port \($0) proto \($1)" }
        case .firewalld:
            // Other networks are in the default zone.
            let zone = givesAddresses ? " --zone=nm-shared" : ""
            return "sudo firewall-cmd\(zone) --add-port=\(port)/tcp --add-service=mdns"
        case .nftables:
            return each { "sudo nft insert rule inet filter input iifname \(interface) \($1) dport \($0) accept" }
        case .iptables: return each { "sudo iptables -I INPUT -i \(interface) -p \($1) --dport \($0) -j ACCEPT" }
        }
    }
}

/// Judges the firewall of this machine.
package enum FirewallChecks {
    /// Reports whether a firewall is active, and how to open a port in it.
    ///
    /// Only root can read the rules, and they may allow everything. So an active firewall is only a note.
    package static func findings(of firewall: Firewall?, port: Int) -> [Finding] {
        guard let firewall else {
            return [Finding(.noFirewall, .firewall, .ok, "No firewall service seems to be active on this machine.")]
        }
        return [
            Finding(
                .firewallActive,
                .firewall,
                .note,
                "The firewall \(firewall.rawValue) is active on this machine. It may reject connections to TCP port \(port), "
                    + "which a sender needs.",
                remedy: "If other machines see this one but cannot connect to it:",
                command: firewall.command(opening: port),
                port: port
            )
        ]
    }
}

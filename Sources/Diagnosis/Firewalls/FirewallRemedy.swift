/// The command by which a person opens the firewall of a machine.
package enum FirewallRemedy {
    /// The option of the command `doctor`.
    package static let option = "open-firewall"

    /// Returns the command.
    ///
    /// - Parameter givesAddresses: Whether the machine gives addresses to others, in a Wi-Fi network of its own.
    package static func command(
        ports: [Int],
        usualPort: Int?,
        program: String,
        givesAddresses: Bool = false
    ) -> String {
        let named = ports == [usualPort] ? [] : ports.flatMap { ["--port", "\($0)"] }
        let words = [program, "doctor", "--\(option)"] + named + (givesAddresses ? ["--hotspot"] : [])
        return FirewallCommand("sudo", words).text
    }
}

import Diagnosis
import FoundationEssentials
import Glibc
import PeerCore

/// Where the file of this program is, for commands that a person copies.
package enum ProgramLocation {
    /// The folders in which `sudo` usually looks for programs, in its order; it ignores `PATH`.
    private static let folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]

    /// Returns the word that starts this program with `sudo`: its name, if `sudo` finds the same file by it, or else its path.
    static func wordForSudo(running: String = "/proc/self/exe", in folders: [String] = folders) -> String {
        func file(_ path: String) -> [UInt64]? {
            var status = stat()
            return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
        }
        let name = "hikeshare"
        let paths: [String] = folders.map { "\($0)/\(name)" }
        let found = paths.first { access($0, X_OK) == 0 }
        if let found, file(found) == file(running) { return name }
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: running)
        // An application that shows these words is another program.
        return path.flatMap { $0.hasSuffix("/" + name) ? $0 : nil } ?? name
    }

    /// Returns the command that opens the firewall of this machine, also for giving addresses to others in a Wi-Fi network of its
    /// own.
    package static func firewallCommand(ports: [Int], givesAddresses: Bool = false) -> String {
        FirewallRemedy.command(
            ports: ports,
            usualPort: PeerServiceType.hikeshare.defaultPort,
            program: wordForSudo(),
            givesAddresses: givesAddresses
        )
    }
}

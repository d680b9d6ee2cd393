import Glibc
import HostNetwork

/// The mark that the firewall of this machine was opened since its start.
///
/// Only root can read rules, and only root can set or take away the mark; everybody can see it. So a person is not told to do once
/// more what was done and did not help.
package struct FirewallMark: Sendable {
    private let path: String

    /// Creates a mark.
    ///
    /// - Parameter path: The file; `/run` is empty after each start of the system.
    package init(path: String = "/run/hikeshare-firewall-open") { self.path = path }

    /// Whether the firewall was opened.
    package var isSet: Bool { SystemFile.exists(path) }

    /// Sets the mark, or takes it away; without the permission, nothing happens.
    package func set(_ isOpen: Bool) {
        guard isOpen else {
            _ = unlink(path)
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        if descriptor >= 0 { close(descriptor) }
    }
}

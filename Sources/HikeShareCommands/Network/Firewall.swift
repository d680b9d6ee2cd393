import Glibc

/// The programs that manage the firewall of a Linux machine.
enum Firewall: String, CaseIterable, Sendable {
    case ufw
    case firewalld
    case nftables

    /// Returns the command that lets receivers connect to a TCP port of this machine.
    func command(opening port: Int) -> DisplayText {
        switch self {
        case .ufw: "sudo ufw allow \(port)/tcp"
        case .firewalld:
            "sudo firewall-cmd --permanent --add-port=\(port)/tcp && sudo firewall-cmd --reload"
        case .nftables: "sudo nft insert rule inet filter input tcp dport \(port) accept"
        }
    }

    /// What to do on the sender if it did not answer at a port, whichever firewall it has.
    static func hints(forPort port: Int) -> [DisplayText] {
        allCases.map { "If the sender has the firewall \($0.rawValue), run there:  \($0.command(opening: port))" }
    }

    /// Returns the firewall that is active on a machine; nil if none seems to be.
    ///
    /// The rules themselves can be read only by root. So this is decided by files that everyone can read: the configuration
    /// of ufw, the running service of firewalld, and the enabled service of nftables.
    ///
    /// - Parameter root: The root of the file system.
    /// - Returns: The firewall.
    static func active(in root: String = "") -> Firewall? {
        if isOn(ufwConfiguration: text(root + "/etc/ufw/ufw.conf") ?? ""), exists(root + "/usr/sbin/ufw") {
            return .ufw
        }
        let cgroups = [
            "/sys/fs/cgroup/system.slice/firewalld.service", "/sys/fs/cgroup/systemd/system.slice/firewalld.service",
        ]
        if cgroups.contains(where: { exists(root + $0) }) { return .firewalld }
        let wants = ["/etc/systemd/system/sysinit.target.wants", "/etc/systemd/system/multi-user.target.wants"]
        return wants.contains { exists(root + $0 + "/nftables.service") } ? .nftables : nil
    }

    /// Returns whether a configuration of ufw switches it on.
    static func isOn(ufwConfiguration text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            line.filter { !$0.isWhitespace && $0 != "\"" }.lowercased() == "enabled=yes"
        }
    }

    /// Whether there is something at a path; a symbolic link counts, whatever it leads to.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The first 64 KiB of a file; nil if it cannot be read.
    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

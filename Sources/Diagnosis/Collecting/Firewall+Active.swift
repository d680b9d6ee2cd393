import HostNetwork

extension Firewall {
    /// Returns the firewall that is active on a machine; nil if none seems to be.
    ///
    /// Only root can read the rules themselves. So this looks at files that every user can read: the configuration of
    /// ufw, the running service of firewalld, and the enabled service of nftables or iptables.
    package static func active(in root: String = "") -> Firewall? {
        if isUFWOn(in: root) { return .ufw }
        let cgroups = [
            "/sys/fs/cgroup/system.slice/firewalld.service", "/sys/fs/cgroup/systemd/system.slice/firewalld.service",
        ]
        if cgroups.contains(where: { SystemFile.exists(root + $0) }) { return .firewalld }
        let wants = ["/etc/systemd/system/sysinit.target.wants", "/etc/systemd/system/multi-user.target.wants"]
        let services = [(nftables, "nftables"), (iptables, "netfilter-persistent")]
        return services.first { service in
            wants.contains { SystemFile.exists("\(root)\($0)/\(service.1).service") }
        }?.0
    }

    /// Returns whether ufw is installed and switched on.
    package static func isUFWOn(in root: String = "") -> Bool {
        SystemFile.exists(root + "/usr/sbin/ufw")
            && isOn(ufwConfiguration: SystemFile.text(root + "/etc/ufw/ufw.conf") ?? "")
    }

    /// Returns whether a configuration of ufw switches it on.
    static func isOn(ufwConfiguration text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            line.filter { !$0.isWhitespace && $0 != "\"" }.lowercased() == "enabled=yes"
        }
    }
}

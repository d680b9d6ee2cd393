import Foundation
import PeerTestSupport
import Testing

@testable import Diagnosis

@Suite struct FirewallTests {
    /// A root of a file system with some files.
    private static func active(_ files: [String: String]) async throws -> Firewall? {
        try await TemporaryDirectory.with { directory in
            for (path, text) in files {
                let url = directory.url.appending(path: path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: url, atomically: false, encoding: .utf8)
            }
            return Firewall.active(in: directory.url.path)
        }
    }

    private static let ufw = [
        "etc/ufw/ufw.conf": "# /etc/ufw/ufw.conf\nENABLED=yes\nLOGLEVEL=low\n", "usr/sbin/ufw": "",
    ]
    private static let firewalld = ["sys/fs/cgroup/system.slice/firewalld.service/cgroup.procs": "1\n"]
    private static let nftables = ["etc/systemd/system/sysinit.target.wants/nftables.service": ""]

    @Test func theActiveOneIsFound() async throws {
        #expect(try await Self.active([:]) == nil)
        #expect(try await Self.active(Self.ufw) == .ufw)
        #expect(try await Self.active(Self.firewalld) == .firewalld)
        #expect(try await Self.active(Self.nftables) == .nftables)
        let iptables = ["etc/systemd/system/multi-user.target.wants/netfilter-persistent.service": ""]
        #expect(try await Self.active(iptables) == .iptables)
        // ufw and firewalld write rules of nftables themselves.
        #expect(try await Self.active(Self.ufw.merging(Self.nftables) { $1 }) == .ufw)
        #expect(try await Self.active(Self.firewalld.merging(Self.nftables) { $1 }) == .firewalld)
    }

    @Test func oneThatIsInstalledAndOffIsNotActive() async throws {
        let off = ["etc/ufw/ufw.conf": "#ENABLED=yes\nENABLED=no\n", "usr/sbin/ufw": ""]
        #expect(try await Self.active(off) == nil)
        #expect(try await Self.active(off.merging(Self.nftables) { $1 }) == .nftables)
        // Removed, but its configuration is left.
        #expect(try await Self.active(Self.ufw.filter { $0.key != "usr/sbin/ufw" }) == nil)
    }
}

import Foundation
import PeerTestSupport
import Testing

@testable import HostNetwork

@Suite struct InterfaceRankTests {
    /// An interface as `/sys/class/net` describes it: files with their content, and folders, which end with a slash.
    private struct Interface {
        var name: String
        var files: [String: String]
        var rank: InterfaceRank
    }

    private static let laptop = [
        Interface(name: "lo", files: ["operstate": "unknown\n"], rank: .other),
        Interface(name: "enp3s0", files: ["operstate": "up\n", "device/": ""], rank: .hardware),
        Interface(name: "wlp2s0", files: ["operstate": "dormant\n", "device/": ""], rank: .down),
        Interface(name: "eth9", files: ["operstate": "down\n", "device/": ""], rank: .down),
        Interface(name: "docker0", files: ["operstate": "up\n", "bridge/": "", "brif/veth1a/": ""], rank: .virtual),
        Interface(name: "br-4711", files: ["operstate": "down\n", "bridge/": ""], rank: .down),
        Interface(name: "lan", files: ["operstate": "up\n", "bridge/": "", "brif/enp3s0/": ""], rank: .other),
        Interface(name: "lan2", files: ["operstate": "up\n", "bridge/": "", "brif/enp3s0.9/": ""], rank: .other),
        Interface(name: "enp3s0.9", files: ["operstate": "up\n", "lower_enp3s0/": ""], rank: .other),
        Interface(name: "cage", files: ["operstate": "up\n", "bridge/": ""], rank: .virtual),
        Interface(name: "veth1a", files: ["operstate": "up\n", "brport/": ""], rank: .virtual),
        Interface(name: "port7", files: ["operstate": "up\n", "brport/": ""], rank: .virtual),
        Interface(name: "one", files: ["operstate": "up", "ifindex": "7\n", "iflink": "8\n"], rank: .virtual),
        Interface(name: "two", files: ["operstate": "up", "ifindex": "8\n", "iflink": "7\n"], rank: .virtual),
        Interface(name: "lan0", files: ["operstate": "up", "ifindex": "9\n", "iflink": "12\n"], rank: .other),
        Interface(
            name: "enp3s0.7",
            files: ["operstate": "up", "ifindex": "10\n", "iflink": "3\n", "lower_enp3s0/": ""],
            rank: .other
        ),
        Interface(name: "wg0", files: ["operstate": "unknown\n"], rank: .tunnel),
        Interface(name: "work", files: ["operstate": "unknown\n", "tun_flags": "0x1\n"], rank: .tunnel),
        Interface(name: "bond0", files: ["operstate": "up\n"], rank: .other),
    ]

    @Test func tellsHardwareFromWhatStaysInThisMachine() async throws {
        try await TemporaryDirectory.with { directory in
            for interface in Self.laptop {
                for (file, text) in interface.files {
                    let url = directory.url.appending(path: interface.name + "/" + file)
                    if file.hasSuffix("/") {
                        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
                    } else {
                        try FileManager.default.createDirectory(
                            at: url.deletingLastPathComponent(),
                            withIntermediateDirectories: true
                        )
                        try Data(text.utf8).write(to: url)
                    }
                }
            }
            for interface in Self.laptop {
                let rank = InterfaceRank(of: interface.name, in: directory.url.path)
                #expect(rank == interface.rank, "\(interface.name)")
            }
        }
    }

    @Test(arguments: [nil, "", "../..", ".", "enp3s0/device"] as [String?])
    func aNameThatIsNoneIsNotLookedUp(name: String?) {
        #expect(InterfaceRank(of: name, in: "/nowhere") == .other)
    }

    @Test(arguments: [
        ("eth0", InterfaceRank.other), ("docker0", .virtual), ("veth12", .virtual), ("br-12", .virtual),
        ("virbr0", .virtual), ("dummy0", .virtual), ("tun0", .tunnel), ("wg0", .tunnel), ("tailscale0", .tunnel),
    ])
    func withoutADescriptionTheNameCounts(name: String, rank: InterfaceRank) {
        #expect(InterfaceRank(of: name, in: "/nowhere") == rank)
    }
}

import Foundation
import HostNetwork
import PeerTestSupport
import Testing

@testable import RegionSharing

@Suite struct NetworkRateTests {
    /// NetworkManager is asked about radios alone, and only if the kernel says nothing.
    @Test(
        arguments: [
            (interface: "wlan0", kernel: 100_000_000, rate: 6_250_000, isAsked: false),
            ("wlan0", nil, 12_500_000, true), ("eth0", nil, 117_500_000, false), ("eth1", nil, nil, false),
            (nil, nil, nil, false),
        ] as [(interface: String?, kernel: Int?, rate: Double?, isAsked: Bool)]
    )
    func whoKnowsTheRate(_ it: (interface: String?, kernel: Int?, rate: Double?, isAsked: Bool)) async throws {
        try await TemporaryDirectory.with { directory in
            for (name, speed) in [("wlan0", nil), ("eth0", "1000\n"), ("eth1", "-1\n")] as [(String, String?)] {
                let folders = ["device"] + (speed == nil ? ["phy80211"] : [])
                for folder in folders {
                    try FileManager.default.createDirectory(
                        atPath: directory.path("\(name)/\(folder)"),
                        withIntermediateDirectories: true
                    )
                }
                for (file, content) in [("operstate", "up\n"), ("type", "1\n"), ("speed", speed)] {
                    try content.map { try Data($0.utf8).write(to: URL(filePath: directory.path("\(name)/\(file)"))) }
                }
            }
            let asked = Locked(false)
            let found = await NetworkRate.known(of: it.interface, in: directory.url.path) { _ in
                it.kernel
            } manager: { _ in
                asked.withLock { $0 = true }
                return 200_000_000
            }
            #expect(found?.bytesPerSecond == it.rate)
            #expect(asked.value == it.isAsked)
        }
    }
}

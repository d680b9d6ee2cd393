import Foundation
import PeerTestSupport
import Testing

@testable import HostNetwork

@Suite struct NetworkRateTests {
    /// Makes interfaces as `/sys/class/net` describes them: files with their content, and folders, which end with a slash.
    private func withInterfaces(
        _ interfaces: [String: [String: String]],
        _ body: (String) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            for (name, files) in interfaces {
                for (file, content) in files {
                    let url = directory.url.appending(path: name + "/" + file)
                    let parent = file.hasSuffix("/") ? url : url.deletingLastPathComponent()
                    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                    if !file.hasSuffix("/") { try Data(content.utf8).write(to: url) }
                }
            }
            try body(directory.url.path)
        }
    }

    private static let card = ["operstate": "up\n", "device/": "", "type": "1\n"]
    private static let radio = card.merging(["phy80211/": ""]) { $1 }

    @Test(arguments: [("1000\n", 117_500_000.0), ("100\n", 11_750_000), ("10000\n", 1_175_000_000)])
    func aCableHasItsSpeedWithoutWhatPacketsCost(speed: String, rate: Double) async throws {
        try await withInterfaces(["eth0": Self.card.merging(["speed": speed]) { $1 }]) { folder in
            let found = try #require(NetworkRate(of: "eth0", in: folder))
            #expect(!found.isRadio)
            #expect(abs(found.bytesPerSecond - rate) < 1)
        }
    }

    /// The kernel names 10 Gbit/s for a virtual cable.
    @Test func nothingIsSaidOfWhatNobodyKnows() async throws {
        let virtual = ["operstate": "up\n", "speed": "10000\n", "type": "1\n"]
        try await withInterfaces([
            "veth1": virtual, "lan0": virtual, "lo": ["operstate": "unknown\n"],
            "eth0": Self.card.merging(["speed": "-1\n"]) { $1 }, "eth1": Self.card,
            "eth2": Self.card.merging(["speed": "99999999999999999999\n"]) { $1 },
            "eth3": Self.card.merging(["speed": "1000\n", "operstate": "down\n"]) { $1 },
            "wlan0": Self.radio,
        ]) { folder in
            for name in ["veth1", "lan0", "lo", "eth0", "eth1", "eth2", "eth3", "wlan0", "none", "", "../eth0"] {
                #expect(NetworkRate(of: name, in: folder) { _ in nil } == nil, "\(name)")
            }
        }
    }

    @Test func aRadioCarriesHalfOfItsBitRate() async throws {
        try await withInterfaces(["wlan0": Self.radio]) { folder in
            let found = try #require(NetworkRate(of: "wlan0", in: folder) { _ in 866_700_000 })
            #expect(found.isRadio)
            #expect(abs(found.bytesPerSecond - 54_168_750) < 1)
            #expect(NetworkRate(of: "wlan0", in: folder) { _ in 0 } == nil)
            #expect(NetworkRate(of: "wlan0", in: folder) { _ in .max } == nil)
        }
    }

    @Test func theKernelsAnswerHasTheBitRateBehindTheName() {
        var answer = [UInt8](repeating: 0, count: 32)
        #expect(NetworkRate.bitRate(in: answer) == nil)
        withUnsafeBytes(of: Int32(54_000_000)) { answer.replaceSubrange(16..<20, with: $0) }
        #expect(NetworkRate.bitRate(in: answer) == 54_000_000)
        withUnsafeBytes(of: Int32(-1)) { answer.replaceSubrange(16..<20, with: $0) }
        #expect(NetworkRate.bitRate(in: answer) == nil)
        #expect(NetworkRate.bitRate(in: []) == nil)
        #expect(NetworkRate.radioBitRate(of: "lo") == nil)
        #expect(NetworkRate.radioBitRate(of: String(repeating: "x", count: 16)) == nil)
    }

    @Test func aSocketForACableIsFoundWithoutACable() async throws {
        try await withInterfaces(["wlan0": Self.radio, "veth1": ["type": "1\n"]]) { folder in
            #expect(!NetworkRate.hasCableSocket(in: folder))
        }
        try await withInterfaces(["wlan0": Self.radio, "eth0": Self.card.merging(["operstate": "down\n"]) { $1 }]) {
            folder in
            #expect(NetworkRate.hasCableSocket(in: folder))
        }
    }
}

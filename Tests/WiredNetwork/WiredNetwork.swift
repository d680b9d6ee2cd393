import DBus
import Foundation

@testable import NetworkManager

/// Makes a wired network for as long as its standard input is open, and then ends it, unless it is killed before.
///
///     WiredNetwork INTERFACE
///
/// Hotspots are made by the same code, but need a radio. It prints "ready" when the network is there, and "ended" when the network
/// has ended by itself. The bus is the one in `DBUS_SYSTEM_BUS_ADDRESS`.
@main enum WiredNetwork {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { exit(64) }
        let interface = CommandLine.arguments[1]
        do {
            try await NetworkManagerClient.with { client in
                let arguments: [DBusValue] = [.string(interface)]
                let manager = NetworkManagerClient.path
                let answer = try await client.call("GetDeviceByIpIface", at: manager, in: "", arguments)
                guard let device = answer.first?.text else { exit(1) }
                let activation = try await client.activate(settings, on: device, within: .seconds(300))
                tell("ready")
                await withTaskGroup { group in
                    group.addTask {
                        await client.waitForEnd(of: activation)
                        guard !Task.isCancelled else { return }
                        tell("ended")
                    }
                    group.addTask {
                        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                            Thread.detachNewThread {
                                while readLine() != nil {}
                                continuation.resume()
                            }
                        }
                    }
                    await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            tell("failed: \(error)")
            exit(1)
        }
        exit(0)
    }

    /// Writes a line at once.
    private static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static var settings: [String: [String: DBusValue]] {
        let address: DBusValue = .settings(["address": .string("10.99.7.1"), "prefix": .uint32(24)])
        return [
            "connection": [
                "id": .string("hikeshare-test"), "type": .string("802-3-ethernet"), "autoconnect": .boolean(false),
            ],
            "802-3-ethernet": [:],
            "ipv4": ["method": .string("manual"), "address-data": .array([address], of: "a{sv}")],
            "ipv6": ["method": .string("disabled")],
        ]
    }
}

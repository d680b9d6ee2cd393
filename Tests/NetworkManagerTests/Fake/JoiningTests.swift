import DBus
import DBusTestSupport
import PeerTestSupport
import Testing

@testable import NetworkManager

/// Networks that are joined, or are not found.
@Suite(.timeLimit(.minutes(10))) struct JoiningTests {
    private static let active = "/active/1"
    private static let device = Sample.device()

    /// A NetworkManager whose first attempts to join end for a reason of the card.
    private static func fake(failing failures: Int, reason: UInt32) -> FakeNetworkManager {
        let (attempts, own) = (Locked(0), Locked<FakeNetworkManager?>(nil))
        let manager = FakeNetworkManager.service
        let signals = [
            FakeService.Signal(
                "StateChanged",
                at: device.path,
                in: manager + ".Device",
                [.uint32(120), .uint32(50), .uint32(reason)]
            ),
            FakeService.Signal(
                "StateChanged",
                at: active,
                in: manager + ".Connection.Active",
                [.uint32(4), .uint32(0)]
            ),
        ]
        let fake = FakeNetworkManager { call in
            switch call.member {
            case "AddAndActivateConnection2":
                let number = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                let values: [DBusValue] = [.objectPath("/settings/9"), .objectPath(active), .settings([:])]
                guard number > failures else { return .valuesAndSignals(values, signals) }
                own.value?.set(active, ".Connection.Active", ["State": .uint32(2), "Id": .string("net")])
                return .values(values)
            case "DeactivateConnection": return .values([])
            default: return nil
            }
        }
        own.set(fake)
        return fake
    }

    /// Joins; returns how often NetworkManager was asked, and the error.
    private static func join(_ fake: FakeNetworkManager) async throws -> (attempts: Int, error: NetworkManagerError?) {
        try await fake.run { service, address in
            var error: NetworkManagerError?
            do {
                try await NetworkManagerClient.with(bus: address) { client in
                    try await client.withJoined(device, named: "net", password: "12345678") { _ in }
                }
            } catch let failure as NetworkManagerError {
                error = failure
            }
            return (service.calls.count { $0.member == "AddAndActivateConnection2" }, error)
        }
    }

    @Test func aNetworkThatIsNotFoundAtOnceIsLookedForAgain() async throws {
        let (attempts, error) = try await Self.join(Self.fake(failing: 1, reason: 53))
        #expect(attempts == 2 && error == nil)
    }

    @Test func aNetworkThatIsNotThereIsGivenUp() async throws {
        let (attempts, error) = try await Self.join(Self.fake(failing: .max, reason: 53))
        #expect(attempts == 2 && error?.code == .notFound)
    }

    @Test func aWrongPasswordIsToldAtOnce() async throws {
        let (attempts, error) = try await Self.join(Self.fake(failing: .max, reason: 7))
        #expect(attempts == 1 && error?.code == .wrongPassword)
    }
}

import DBus
import Testing

@testable import Diagnosis

@Suite struct AvahiUnitTests {
    @Test(
        arguments: [
            ("loaded", "failed", "failed", .failed), ("loaded", "activating", "auto-restart", .failed),
            ("masked", "inactive", "dead", .masked), ("masked", "failed", "failed", .masked),
            ("loaded", "inactive", "dead", .unknown), ("loaded", "active", "running", .unknown),
            ("not-found", "inactive", "dead", .unknown),
        ] as [(String, String, String, AvahiFacts.Unit)]
    )
    func readsTheStateOfTheUnit(load: String, active: String, sub: String, unit: AvahiFacts.Unit) {
        let properties: [String: DBusValue] = [
            "LoadState": .string(load), "ActiveState": .string(active), "SubState": .string(sub),
        ]
        #expect(AvahiFacts.Unit(properties) == unit)
        #expect(AvahiFacts.Unit([:]) == .unknown)
    }
}

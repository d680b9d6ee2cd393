import DBus
import Testing

@testable import NetworkManager

@Suite struct ErrorTests {
    @Test(
        arguments: [
            (.busUnavailable, .noNetworkManager), (.serviceUnavailable, .noNetworkManager),
            (.notAccepted, .noPermission), (.accessDenied, .noPermission), (.refused, .failed), (.timedOut, .timedOut),
            (.badAnswer, .failed),
            (.invalidArgument, .failed), (.closed, .ended), (.connectionLost, .ended),
        ] as [(DBusError.Code, NetworkManagerError.Code)]
    )
    func translatesErrorsOfDBus(code: DBusError.Code, expected: NetworkManagerError.Code) {
        #expect(NetworkManagerError(DBusError(code, "x")).code == expected)
    }

    @Test func translatesAMissingPermission() {
        let name = "org.freedesktop.NetworkManager.PermissionDenied"
        #expect(NetworkManagerError(DBusError(.refused, "x", name: name)) == .noPermission)
        let other = NetworkManagerError(DBusError(.refused, "Not so.", name: "org.freedesktop.NetworkManager.Other"))
        #expect(other == NetworkManagerError(.failed, "NetworkManager refuses: Not so."))
    }

    @Test(
        arguments: [
            (7, .wrongPassword), (8, .failed), (11, .failed), (9, .failed), (10, .failed), (5, .failed), (6, .failed),
            (15, .failed), (16, .failed), (17, .failed), (18, .failed), (19, .failed), (35, .unavailable),
            (53, .notFound), (39, .ended), (60, .ended), (0, .failed), (.max, .failed),
        ] as [(UInt64, NetworkManagerError.Code)]
    )
    func everyReasonHasASentenceAndARemedy(reason: UInt64, code: NetworkManagerError.Code) {
        let error = NetworkManagerError(deviceReason: reason)
        #expect(error.code == code)
        #expect(error.message.hasSuffix(".") && error.remedy?.isEmpty == false)
    }

    @Test func isOneLineOfText() {
        #expect(NetworkManagerError(.noWiFi, "None.", remedy: "Buy one.").description == "noWiFi: None. Buy one.")
        #expect(NetworkManagerError(.noWiFi, "None.").description == "noWiFi: None.")
    }
}

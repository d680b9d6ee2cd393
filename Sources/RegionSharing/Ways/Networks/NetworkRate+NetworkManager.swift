package import HostNetwork
import NetworkManager

extension NetworkRate {
    /// The time within which NetworkManager must answer.
    private static let answerTime: Duration = .seconds(1)

    /// Reads the rate of an interface from the kernel, or from NetworkManager if the kernel does not tell it; nil if neither does.
    ///
    /// The kernel's older interface for bit rates does not support every new radio. NetworkManager uses the newer one.
    package static func known(
        of interface: String?,
        in folder: String = systemFolder,
        radioBitRate: (String) -> Int? = Self.radioBitRate,
        manager: @Sendable (String) async -> Int? = Self.managedBitRate
    ) async -> NetworkRate? {
        guard let interface else { return nil }
        if let rate = NetworkRate(of: interface, in: folder, radioBitRate: radioBitRate) { return rate }
        guard isRadio(interface, in: folder), let bits = await manager(interface) else { return nil }
        return NetworkRate(of: interface, in: folder) { _ in bits }
    }

    /// Asks NetworkManager for the bit rate of a radio, in bit/s; nil if it does not know it, or does not answer.
    private static func managedBitRate(of interface: String) async -> Int? {
        await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                let state = try? await NetworkManagerClient.with { try await $0.state() }
                let kilobits = state?.devices.first { $0.interface == interface }?.bitRate
                return kilobits.flatMap { Int(exactly: Double($0) * 1000) }
            }
            group.addTask {
                try? await Task.sleep(for: answerTime)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

package import HostNetwork

/// Finds out whether this machine itself keeps back its requests to connect to another one.
package enum KeptBackProbe {
    private static let pause: Duration = .milliseconds(50)

    /// Begins a connection and looks whether it leaves; takes up to 1.3 s.
    ///
    /// - Parameters:
    ///   - scope: The number of the interface, for an IPv6 link-local address; otherwise 0.
    ///   - interface: The name of the interface over which the kernel sends to the other machine.
    /// - Returns: True if the request did not leave this machine; false if it did; nil if that is not certain, as without a route,
    ///   or while the other machine's hardware address is not known.
    package static func run(
        _ address: IPAddress,
        port: UInt16,
        scope: UInt32 = 0,
        interface: String
    ) async -> Bool? {
        let target = ConnectionProbe.Target(address: address, port: port, scope: scope)
        var connection = CountedConnection(
            to: target,
            over: interface,
            repeatedAttempts: CountedConnection.manyAttempts
        )
        defer { connection.close() }
        while true {
            switch connection.outcome() {
            case .opened: return false
            case .kept: return true
            case .refused(let isCertain): return isCertain ? false : nil
            case .silent(let hasLeft): return hasLeft ? false : nil
            case .noRoute: return nil
            case nil: guard (try? await Task.sleep(for: pause)) != nil else { return nil }
            }
        }
    }
}

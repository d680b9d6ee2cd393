import HostNetwork
import NIOConcurrencyHelpers

extension PeerListener {
    /// Returns the current addresses as ``addressChanges()`` does, with the loopback addresses at the end if tests need them.
    package func addresses(includingLoopback includesLoopback: Bool) -> [String] {
        Self.addresses(port: port, includingLoopback: includesLoopback)
    }

    /// Returns the current addresses of this machine with a port.
    static func addresses(port: Int, includingLoopback includesLoopback: Bool) -> [String] {
        OwnAddress.ranked(includingLoopback: includesLoopback).map { PeerAddress(host: $0, port: port).text }
    }

    /// Returns the addresses of this listener as text (`192.168.1.7:4711`, `[fe80::1%wlan0]:4711`): first the current ones, then
    /// those after each change.
    ///
    /// The addresses of hardware come first, then those of bridges and other virtual interfaces, then those of tunnels. On the same
    /// kind of interface, addresses of a network come before link-local addresses. Interfaces that are down and loopback addresses
    /// are left out, and so are containers if there is nothing else. The list is empty while this machine is on no network.
    ///
    /// The stream ends when the task that reads it is cancelled. Only the latest addresses are kept for a slow reader.
    ///
    /// For example:
    ///
    /// ```swift
    /// for await addresses in listener.addressChanges() { show(addresses) }
    /// ```
    public func addressChanges() -> AsyncStream<[String]> { addressChanges(includingLoopback: false) }

    /// Returns the addresses as ``addressChanges()`` does, with the loopback addresses at the end if tests need them.
    package func addressChanges(includingLoopback includesLoopback: Bool) -> AsyncStream<[String]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [String].self, bufferingPolicy: .bufferingNewest(1))
        let last = NIOLockedValueBox<[String]?>(nil)
        let look: @Sendable () -> Void = {
            // One look at a time, so that an older one never comes after a newer one.
            last.withLockedValue { last in
                let addresses = addresses(includingLoopback: includesLoopback)
                guard addresses != last else { return }
                last = addresses
                continuation.yield(addresses)
            }
        }
        // Watched before the first look, so that no change is missed.
        let changes = NetworkChanges(look)
        continuation.onTermination = { _ in changes.stop() }
        look()
        return stream
    }
}

import HostNetwork
package import NIOCore

/// From the addresses of a share link to those of sockets.
extension ShareLink {
    /// Looks up all addresses.
    ///
    /// Those that cannot be resolved are left out.
    ///
    /// A link-local address is used on every network of this machine, because a share link names no interface. If this
    /// machine has no network yet, the call waits up to three seconds for one.
    ///
    /// - Returns: The addresses, the most promising first; at least one.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if no address can be resolved; `CancellationError` as
    ///   soon as the task is cancelled.
    package func resolve() async throws -> [SocketAddress] {
        let deadline = ContinuousClock.now + ConnectionRace.repetitionTime
        while ContinuousClock.now < deadline, addressesOnEveryNetwork().isEmpty,
            addresses.allSatisfy({ $0.onEveryNetwork() != nil })
        {
            try await Task.sleep(for: ConnectionRace.repetitionDelay)
        }
        return try await resolve(namesWithin: Self.nameTime)
    }

    /// Returns the link-local addresses of the share link on every current network of this machine, without a lookup.
    ///
    /// The result grows when this machine joins a network after ``resolve()``.
    package func addressesOnEveryNetwork() -> [SocketAddress] {
        let found = addresses.compactMap { $0.onEveryNetwork() }.joined().sorted { $0.rank < $1.rank }
        return found.map(\.address)
    }

    /// The time after which the lookup of names stops if another address is known.
    private static let nameTime: Duration = .seconds(1)

    private typealias Found = (position: Int, result: Result<[(SocketAddress, InterfaceRank)], any Error>)

    func resolve(namesWithin nameTime: Duration, _ lookup: NameLookup = NameLookup()) async throws -> [SocketAddress] {
        let found = await withTaskGroup(of: Found?.self) { group in
            for (position, address) in addresses.enumerated() {
                group.addTask {
                    do {
                        return (position, .success(try await Self.resolve(address, lookup)))
                    } catch {
                        return (position, .failure(error))
                    }
                }
            }
            group.addTask {
                try? await Task.sleep(for: nameTime)
                return nil
            }
            defer { group.cancelAll() }
            var found: [Found] = []
            var isLate = false
            while found.count < addresses.count,
                !(isLate && found.contains { (try? $0.result.get())?.isEmpty == false })
            {
                guard let next = await group.next() else { break }
                if let next { found.append(next) } else { isLate = true }
            }
            return found
        }
        try Task.checkCancellation()
        return try Self.ranked(found)
    }

    private static func resolve(
        _ address: PeerAddress,
        _ lookup: NameLookup
    ) async throws -> [(SocketAddress, InterfaceRank)] {
        if let everywhere = address.onEveryNetwork() { return everywhere.map { ($0.address, $0.rank) } }
        // The interface to this address is unknown. The sender has listed the best address first.
        return try await lookup.addresses(of: address.host, port: address.port).map { ($0, .hardware) }
    }

    /// Sorts by interface, and keeps the order of the sender on each interface.
    private static func ranked(_ found: [Found]) throws -> [SocketAddress] {
        let inOrder = found.sorted { $0.position < $1.position }
        let all = inOrder.flatMap { (try? $0.result.get()) ?? [] }
        let ranked = all.enumerated().sorted { ($0.element.1.rawValue, $0.offset) < ($1.element.1.rawValue, $1.offset) }
        var addresses: [SocketAddress] = []
        for (_, (address, _)) in ranked where !addresses.contains(address) { addresses.append(address) }
        guard addresses.isEmpty else { return addresses }
        throw PeerError(
            .cannotConnect,
            "This machine is not on a network that reaches an address of the share link.",
            remedy: "Join the same network, or plug in the cable, and try again."
        )
    }
}

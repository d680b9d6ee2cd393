import Glibc
import NIOConcurrencyHelpers
public import NIOCore
import NIOPosix

/// The TCP side of a receiver: opens a connection to a peer.
struct PeerConnector: Sendable {
    let configuration: SessionConfiguration

    /// Opens a connection to the first address that answers, trying them in order.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if none does.
    func connect(
        to addresses: [SocketAddress],
        security: TransportSecurity?,
        expecting expected: PeerID?
    ) async throws -> FrameConnection {
        var failures: [(SocketAddress, any Error)] = []
        for address in addresses {
            do {
                return try await open(address, security, expected)
            } catch {
                try Task.checkCancellation()
                failures.append((address, error))
            }
        }
        throw Self.cannotConnect(failures)
    }

    private func open(
        _ address: SocketAddress,
        _ security: TransportSecurity?,
        _ expected: PeerID?
    ) async throws -> FrameConnection {
        let opening = NIOLockedValueBox(Opening())
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(configuration.connectTimeout))
                .connect(to: address) { [configuration] channel in
                    let isCancelled = opening.withLockedValue { opening in
                        opening.channel = channel
                        return opening.isCancelled
                    }
                    guard !isCancelled else { return channel.eventLoop.makeFailedFuture(CancellationError()) }
                    return channel.eventLoop.makeCompletedFuture {
                        try FrameConnection.makeConnecting(
                            channel,
                            configuration: configuration,
                            security: security,
                            expecting: expected
                        )
                    }
                }
        } onCancel: {
            let channel = opening.withLockedValue { opening in
                opening.isCancelled = true
                return opening.channel
            }
            channel?.close(promise: nil)
        }
    }

    /// A channel that is being opened, and whether it still should be.
    private struct Opening {
        var channel: (any Channel)?
        var isCancelled = false
    }

    private static func cannotConnect(_ failures: [(SocketAddress, any Error)]) -> PeerError {
        let tried = failures.map { address, error in "\(address.displayText) (\(reason(error)))" }
        return PeerError(
            .cannotConnect,
            "The other machine does not answer: \(tried.joined(separator: ", ")).",
            remedy: "Check that 'hikeshare send' runs there and that no firewall blocks its port.",
            cause: failures.last?.1
        )
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is ChannelError: "no answer in time"
        default: "no connection"
        }
    }
}

/// An address and port in the form that people write.
public struct PeerAddress: Hashable, Sendable {
    /// The host: a name, an IPv4 address, or an IPv6 address with its zone where it has one.
    public var host: String
    /// The port, from 1.
    public var port: Int

    /// Creates an address; the host of an IPv6 address has no brackets.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT` or `[IPV6%ZONE]:PORT`; nil for anything else.
    public init?(parsing text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = Int(digits),
            (1...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            // An IPv6 address without brackets: where it ends is a guess.
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// Looks the host up.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if it is not known.
    public func resolve() async throws -> SocketAddress {
        do {
            return try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(host, port: port)
            }
        } catch {
            throw PeerError(
                .cannotConnect,
                "The host \(host) is not known.",
                remedy: "Use the address that the sender shows.",
                cause: error
            )
        }
    }
}

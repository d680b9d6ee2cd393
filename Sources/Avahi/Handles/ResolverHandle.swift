import CAvahi

extension ResolverHandle {
    /// An event of a service resolver.
    enum News: Sendable {
        /// A service was resolved.
        case found(hostName: String, address: ServiceAddress, port: UInt16, txt: TXTRecord, AvahiLookupResultFlags)
        /// The resolver ended with one of Avahi's errors.
        case failed(Int32)
    }
}

/// The owner of a service resolver.
///
/// The resolver lives as long as the service, because it also reports changes of the TXT record.
final class ResolverHandle {
    private let client: ClientHandle
    private let callback: AvahiPoll.Callback<News>
    private let pointer: OpaquePointer

    init(client: ClientHandle, key: ServiceKey, callback: AvahiPoll.Callback<News>) throws(AvahiError) {
        self.client = client
        self.callback = callback
        let ipVersion = IPVersion.number(key.ipVersion)
        self.pointer = try client.create { client in
            avahi_service_resolver_new(
                client,
                NetworkInterface.number(key.interface),
                ipVersion,
                key.name,
                key.type,
                key.domain,
                ipVersion,
                AvahiLookupFlags(0),
                { resolver, interface, _, event, _, _, _, hostName, address, port, txt, flags, userData in
                    if event == AVAHI_RESOLVER_FAILURE {
                        let client = resolver.flatMap { avahi_service_resolver_get_client($0) }
                        let error = client.map { avahi_client_errno($0) } ?? Int32(AVAHI_ERR_FAILURE)
                        AvahiPoll.Callback<News>.deliver(.failed(error), to: userData)
                    } else if let hostName, let address,
                        let address = ServiceAddress(address.pointee, interface: NetworkInterface(interface))
                    {
                        let found = News.found(
                            hostName: String(cString: hostName),
                            address: address,
                            port: port,
                            txt: TXTRecord(copying: txt),
                            flags
                        )
                        AvahiPoll.Callback<News>.deliver(found, to: userData)
                    }
                },
                callback.pointer
            )
        }
    }

    deinit { _ = client.withClient { _ in avahi_service_resolver_free(pointer) } }
}

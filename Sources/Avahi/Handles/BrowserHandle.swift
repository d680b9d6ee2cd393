import CAvahi

extension BrowserHandle {
    /// An event of a service browser.
    enum News: Sendable {
        /// A service was announced.
        case appeared(ServiceKey, AvahiLookupResultFlags)
        /// A service is no longer announced.
        case disappeared(ServiceKey)
        /// All services that are known now have been reported.
        case allForNow
        /// The browser ended with one of Avahi's errors.
        case failed(Int32)
    }
}

/// The owner of a service browser.
final class BrowserHandle {
    private let client: ClientHandle
    private let callback: AvahiPoll.Callback<News>
    private let pointer: OpaquePointer

    init(
        client: ClientHandle,
        type: ServiceType,
        interface: NetworkInterface?,
        ipVersion: IPVersion?,
        callback: AvahiPoll.Callback<News>
    ) throws(AvahiError) {
        self.client = client
        self.callback = callback
        self.pointer = try client.create { client in
            avahi_service_browser_new(
                client,
                NetworkInterface.number(interface),
                IPVersion.number(ipVersion),
                type.description,
                nil,
                AvahiLookupFlags(0),
                { browser, interface, ipVersion, event, name, type, domain, flags, userData in
                    let error = browser.flatMap { avahi_service_browser_get_client($0) }.map { avahi_client_errno($0) }
                    let news = News(
                        event,
                        key: ServiceKey(interface, ipVersion, name: name, type: type, domain: domain),
                        flags: flags,
                        error: error ?? 0
                    )
                    if let news { AvahiPoll.Callback<News>.deliver(news, to: userData) }
                },
                callback.pointer
            )
        }
    }

    deinit { _ = client.withClient { _ in avahi_service_browser_free(pointer) } }
}

extension BrowserHandle.News {
    fileprivate init?(_ event: AvahiBrowserEvent, key: ServiceKey?, flags: AvahiLookupResultFlags, error: Int32) {
        switch (event, key) {
        case (AVAHI_BROWSER_NEW, let key?): self = .appeared(key, flags)
        case (AVAHI_BROWSER_REMOVE, let key?): self = .disappeared(key)
        case (AVAHI_BROWSER_ALL_FOR_NOW, _): self = .allForNow
        case (AVAHI_BROWSER_FAILURE, _): self = .failed(error)
        default: return nil
        }
    }
}

extension ServiceKey {
    fileprivate init?(
        _ interface: AvahiIfIndex,
        _ ipVersion: AvahiProtocol,
        name: UnsafePointer<CChar>?,
        type: UnsafePointer<CChar>?,
        domain: UnsafePointer<CChar>?
    ) {
        guard let interface = NetworkInterface(interface), let ipVersion = IPVersion(ipVersion),
            let name, let type, let domain
        else { return nil }
        self.init(
            name: String(cString: name),
            type: String(cString: type),
            domain: String(cString: domain),
            interface: interface,
            ipVersion: ipVersion
        )
    }
}

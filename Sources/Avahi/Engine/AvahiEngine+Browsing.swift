import CAvahi

extension AvahiEngine {
    /// Browses until the stream ends, whenever the daemon runs.
    nonisolated func addBrowser(
        type: ServiceType,
        interface: NetworkInterface?,
        ipVersion: IPVersion?
    ) -> (events: LatestChanges<BrowseEvent>, end: @Sendable () -> Void) {
        let events = LatestChanges<BrowseEvent>()
        let number = makeNumber()
        perform { engine in
            guard (try? engine.checkOpen()) != nil else { return events.finish() }
            engine.browsers[number] = Browser(type: type, interface: interface, ipVersion: ipVersion, events: events)
            engine.browse(number)
        }
        return (events, { [post] in post.yield(.endBrowsing(browser: number)) })
    }

    /// Starts every browser that is not running.
    func browseAll() {
        for number in browsers.keys { browse(number) }
    }

    /// Reports all found services as lost, because no daemon watches them any more.
    func loseAll() {
        for number in browsers.keys { browsers[number]?.loseEverything() }
    }

    /// Starts one browser, if possible and not done yet.
    func browse(_ number: UInt64) {
        guard state.isConnected, let client, var browser = browsers[number], browser.handle == nil else { return }
        browser.handleNumber = makeNumber()
        let callback = AvahiPoll.Callback<BrowserHandle.News> { [post, handleNumber = browser.handleNumber] news in
            post.yield(.browser(handleNumber, browser: number, news))
        }
        do throws(AvahiError) {
            browser.handle = try BrowserHandle(
                client: client,
                type: browser.type,
                interface: browser.interface,
                ipVersion: browser.ipVersion,
                callback: callback
            )
            browsers[number] = browser
        } catch {
            browsers[number] = browser
            fail(number, error)
        }
    }

    func received(_ news: BrowserHandle.News, fromBrowser handle: UInt64, of number: UInt64) {
        guard let browser = browsers[number], browser.handleNumber == handle, browser.handle != nil else { return }
        switch news {
        case .appeared(let key, let flags): appeared(key, flags, in: number)
        case .disappeared(let key):
            if let next = browsers[number]?.disappeared(key) { appeared(next.key, next.flags, in: number) }
        case .allForNow:
            browsers[number]?.retrying.reset()
            browser.events.add(.allForNow)
        case .failed(let code): fail(number, .translating(code))
        }
    }

    func received(_ news: ResolverHandle.News, fromResolver resolver: UInt64, of key: ServiceKey, in number: UInt64) {
        guard let browser = browsers[number], var sighting = browser.sightings[key],
            sighting.resolverNumber == resolver, sighting.resolver != nil
        else { return }
        switch news {
        case .found(let hostName, let address, let port, let txt, let flags):
            let service = Service(
                key: key,
                hostName: hostName,
                address: address,
                port: port,
                txt: txt,
                isLocal: sighting.isLocal || flags.contains(AVAHI_LOOKUP_RESULT_LOCAL),
                isOwn: sighting.isOwn || flags.contains(AVAHI_LOOKUP_RESULT_OUR_OWN)
            )
            sighting.retrying.reset()
            let known = sighting.service
            sighting.service = service
            browsers[number]?.sightings[key] = sighting
            if known == nil {
                browser.events.add(.found(service))
            } else if known != service {
                browser.events.add(.changed(service))
            }
        case .failed:
            // While the browser lists the service, the answer may only be slow or lost: ask again.
            retryResolving(key, in: number)
        }
    }

    /// Resolves a service that the browser still lists and that has no resolver.
    func resolve(_ key: ServiceKey, in number: UInt64) {
        guard let client, var sighting = browsers[number]?.sightings[key], sighting.resolver == nil else { return }
        sighting.resolverNumber = makeNumber()
        let callback = AvahiPoll.Callback<ResolverHandle.News> {
            [post, resolverNumber = sighting.resolverNumber] news in
            post.yield(.resolver(resolverNumber, browser: number, key, news))
        }
        sighting.resolver = try? ResolverHandle(client: client, key: key, callback: callback)
        browsers[number]?.sightings[key] = sighting
        if sighting.resolver == nil { retryResolving(key, in: number) }
    }

    private func appeared(_ key: ServiceKey, _ flags: AvahiLookupResultFlags, in number: UInt64) {
        let isLocal = flags.contains(AVAHI_LOOKUP_RESULT_LOCAL)
        let sighting = Browser.Sighting(
            isLocal: isLocal,
            isOwn: flags.contains(AVAHI_LOOKUP_RESULT_OUR_OWN) || isLocal && isPublished(key)
        )
        if browsers[number]?.appeared(key, sighting, flags) == true { resolve(key, in: number) }
    }

    /// Whether this connection publishes the service; the daemon can tell only programs that ask for a cookie.
    private func isPublished(_ key: ServiceKey) -> Bool {
        publishers.values.contains {
            $0.group != nil && $0.name.description == key.name && $0.announcement.type.description == key.type
        }
    }

    private func retryResolving(_ key: ServiceKey, in number: UInt64) {
        guard var sighting = browsers[number]?.sightings[key] else { return }
        sighting.resolver = nil
        post.yield(.later(.resolve(browser: number, key), sighting.retrying.delay()))
        browsers[number]?.sightings[key] = sighting
    }

    private func fail(_ number: UInt64, _ error: AvahiError) {
        guard var browser = browsers[number] else { return }
        browser.loseEverything()
        browser.events.add(.failed(error))
        post.yield(.later(.browse(browser: number), browser.retrying.delay()))
        browsers[number] = browser
    }
}

extension AvahiLookupResultFlags {
    fileprivate func contains(_ flag: AvahiLookupResultFlags) -> Bool { rawValue & flag.rawValue != 0 }
}

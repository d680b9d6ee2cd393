import CAvahi

extension AvahiEngine {
    /// How many names are tried in a row before publishing fails.
    private static var maximumRenames: Int { 100 }

    /// How long the daemon may take to replace a TXT record.
    private static var updateTime: Duration { .seconds(5) }

    /// Publishes a service until it is withdrawn, whenever the daemon runs.
    nonisolated func addPublisher(
        _ announcement: ServiceAnnouncement
    ) throws(AvahiError) -> (number: UInt64, events: AsyncStream<PublicationEvent>) {
        try checkOpen()
        let (stream, continuation) = AsyncStream<PublicationEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let number = makeNumber()
        perform { engine in
            guard (try? engine.checkOpen()) != nil else { return continuation.finish() }
            engine.publishers[number] = Publisher(announcement, events: continuation)
            engine.publish(number)
        }
        return (number, stream)
    }

    /// Ends publishing; the daemon sends goodbye packets.
    func removePublisher(_ number: UInt64) { publishers.removeValue(forKey: number)?.events.finish() }

    /// Replaces the TXT record; if the service is published, the daemon updates it in place.
    nonisolated func update(_ txt: TXTRecord, ofPublisher number: UInt64) async throws(AvahiError) {
        try checkOpen()
        let updated = await result(
            of: { engine -> Result<Void, AvahiError> in
                Result { () throws(AvahiError) in try engine.replace(txt, ofPublisher: number) }
            },
            within: Self.updateTime
        )
        guard let updated else { throw .noAnswer() }
        try updated.get()
    }

    private func replace(_ txt: TXTRecord, ofPublisher number: UInt64) throws(AvahiError) {
        guard var publisher = publishers[number] else { throw .closed }
        publisher.announcement.txt = txt
        publishers[number] = publisher
        guard let group = publisher.group else { return }
        let result = group.update(publisher.announcement, name: publisher.name)
        guard result >= 0 || Int(result) == AVAHI_ERR_NO_CHANGE else { throw .translating(result) }
    }

    /// Publishes all services that are not published yet.
    func publishAll() {
        for number in publishers.keys { publish(number) }
    }

    /// Marks all services as not published, because the daemon has lost them or cannot publish them.
    func withdrawAll() {
        for number in publishers.keys {
            publishers[number]?.group = nil
            if publishers[number]?.isEstablished == true {
                publishers[number]?.isEstablished = false
                publishers[number]?.events.yield(.withdrawn)
            }
        }
    }

    /// Publishes one service, if possible and not done yet.
    func publish(_ number: UInt64) {
        guard state == .running, let client, var publisher = publishers[number], publisher.group == nil else { return }
        publisher.groupNumber = makeNumber()
        let callback = AvahiPoll.Callback<EntryGroupHandle.News> { [post, groupNumber = publisher.groupNumber] news in
            post.yield(.entryGroup(groupNumber, publisher: number, news))
        }
        do throws(AvahiError) {
            let group = try EntryGroupHandle(client: client, callback: callback)
            var result = group.publish(publisher.announcement, name: publisher.name)
            var renames = 0
            while Int(result) == AVAHI_ERR_COLLISION, renames < Self.maximumRenames, publisher.rename() {
                renames += 1
                result = group.publish(publisher.announcement, name: publisher.name)
            }
            guard result >= 0 else { throw .translating(result) }
            if renames > 0 { publisher.events.yield(.renamed(publisher.name)) }
            publisher.group = group
            let check = Event.checkEstablished(group: publisher.groupNumber, publisher: number)
            post.yield(.later(check, publisher.patience.delay()))
            publishers[number] = publisher
        } catch {
            publishers[number] = publisher
            fail(number, error)
        }
    }

    func received(_ news: EntryGroupHandle.News, fromGroup group: UInt64, of number: UInt64) {
        guard var publisher = publishers[number], publisher.groupNumber == group, publisher.group != nil else { return }
        switch news.state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED:
            publisher.retrying.reset()
            publisher.patience.reset()
            publisher.isEstablished = true
            publishers[number] = publisher
            publisher.events.yield(.published(name: publisher.name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            publisher.group = nil
            publisher.isEstablished = false
            guard publisher.rename() else {
                publishers[number] = publisher
                return fail(number, .translating(Int32(AVAHI_ERR_COLLISION)))
            }
            publishers[number] = publisher
            publisher.events.yield(.renamed(publisher.name))
            publish(number)
        case AVAHI_ENTRY_GROUP_FAILURE:
            publisher.group = nil
            publisher.isEstablished = false
            publishers[number] = publisher
            fail(number, .translating(news.error))
        default: break
        }
    }

    /// Publishes a service again if its group is still not established.
    ///
    /// Up to version 0.8, the daemon waits forever if an interface disappears while it probes there (avahi/avahi#39).
    func checkEstablished(_ group: UInt64, of number: UInt64) {
        guard let publisher = publishers[number], publisher.groupNumber == group, publisher.group != nil,
            !publisher.isEstablished
        else { return }
        // The handle frees its group, so the daemon withdraws the service before it is published again.
        publishers[number]?.group = nil
        publish(number)
    }

    private func fail(_ number: UInt64, _ error: AvahiError) {
        guard var publisher = publishers[number] else { return }
        publisher.events.yield(.failed(error))
        post.yield(.later(.publish(publisher: number), publisher.retrying.delay()))
        publishers[number] = publisher
    }
}

extension AvahiEngine.Publisher {
    /// Chooses the next name after a collision, such as "name #2"; returns false if there is none.
    fileprivate mutating func rename() -> Bool {
        guard let alternative = avahi_alternative_service_name(name.description) else { return false }
        defer { avahi_free(alternative) }
        name = InstanceName(trusted: String(cString: alternative))
        return true
    }
}

extension AvahiEngine {
    /// A service that is published, or will be as soon as the daemon runs.
    struct Publisher {
        var announcement: ServiceAnnouncement
        let events: AsyncStream<PublicationEvent>.Continuation
        /// The published name, which differs from the requested one after a collision.
        var name: InstanceName
        var group: EntryGroupHandle?
        var groupNumber: UInt64 = 0
        var isEstablished = false
        var retrying = Backoff(first: .seconds(1), limit: .seconds(30))
        /// How long a group can take to be established; probing takes about a second.
        var patience = Backoff(first: .seconds(4), limit: .seconds(60))

        init(_ announcement: ServiceAnnouncement, events: AsyncStream<PublicationEvent>.Continuation) {
            self.announcement = announcement
            self.events = events
            self.name = announcement.name
        }
    }
}

import CAvahi

extension EntryGroupHandle {
    /// An event of an entry group: its state, and the client's last error.
    struct News: Sendable {
        var state: AvahiEntryGroupState
        var error: Int32
    }
}

/// The owner of an entry group, which holds one published service.
final class EntryGroupHandle {
    private let client: ClientHandle
    private let callback: AvahiPoll.Callback<News>
    private let pointer: OpaquePointer

    init(client: ClientHandle, callback: AvahiPoll.Callback<News>) throws(AvahiError) {
        self.client = client
        self.callback = callback
        self.pointer = try client.create { client in
            avahi_entry_group_new(
                client,
                { group, state, userData in
                    let client = group.flatMap { avahi_entry_group_get_client($0) }
                    let error = client.map { avahi_client_errno($0) } ?? 0
                    AvahiPoll.Callback<News>.deliver(News(state: state, error: error), to: userData)
                },
                callback.pointer
            )
        }
    }

    deinit { _ = client.withClient { _ in avahi_entry_group_free(pointer) } }

    /// Adds the service and commits the group; returns a number of `AVAHI_ERR_…`, or `AVAHI_OK`.
    func publish(_ service: ServiceAnnouncement, name: InstanceName) -> Int32 {
        service.txt.withStringList { txt in
            client.withClient { _ in
                let added = avahi_entry_group_add_service_strlst(
                    pointer,
                    NetworkInterface.number(service.interface),
                    IPVersion.number(service.ipVersion),
                    AvahiPublishFlags(0),
                    name.description,
                    service.type.description,
                    nil,
                    nil,
                    service.port,
                    txt
                )
                return added < 0 ? added : avahi_entry_group_commit(pointer)
            }
        } ?? Int32(AVAHI_ERR_BAD_STATE)
    }

    /// Replaces the TXT record of the published service in place.
    ///
    /// Returns as ``publish(_:name:)`` does.
    func update(_ service: ServiceAnnouncement, name: InstanceName) -> Int32 {
        service.txt.withStringList { txt in
            client.withClient { _ in
                avahi_entry_group_update_service_txt_strlst(
                    pointer,
                    NetworkInterface.number(service.interface),
                    IPVersion.number(service.ipVersion),
                    AvahiPublishFlags(0),
                    name.description,
                    service.type.description,
                    nil,
                    txt
                )
            }
        } ?? Int32(AVAHI_ERR_BAD_STATE)
    }
}

extension TXTRecord {
    /// Calls `body` with the record as Avahi's list, which is freed afterwards; nil stands for the empty record.
    func withStringList<Result>(_ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result) -> Result {
        var list: UnsafeMutablePointer<AvahiStringList>?
        defer { avahi_string_list_free(list) }
        // Avahi adds entries at the front of a list and sends them from the back, so this keeps the order.
        for entry in entries {
            let bytes = Array(entry.key.utf8) + (entry.value.map { [UInt8(ascii: "=")] + $0 } ?? [])
            list = avahi_string_list_add_arbitrary(list, bytes, bytes.count) ?? list
        }
        return body(list)
    }

    /// Copies a list that a resolver received, up to the limit for received records.
    ///
    /// Unlike a list to publish, a received list is in the order of the wire, because it was reversed once more on its way.
    init(copying list: UnsafeMutablePointer<AvahiStringList>?) {
        var strings: [[UInt8]] = []
        var next = list
        var length = 0
        while let node = next, length <= Self.maximumReceivedLength {
            let count = avahi_string_list_get_size(node)
            length += count + 1
            if count <= Self.maximumEntryLength, let text = avahi_string_list_get_text(node) {
                strings.append(Array(UnsafeBufferPointer(start: text, count: count)))
            }
            next = avahi_string_list_get_next(node)
        }
        self.init(received: strings)
    }
}

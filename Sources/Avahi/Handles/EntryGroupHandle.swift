import CAvahi

/// An event of an entry group: its state, and the client's last error.
struct EntryGroupNews: Sendable {
    var state: AvahiEntryGroupState
    var error: Int32
}

/// The owner of an entry group, which holds one published service.
final class EntryGroupHandle {
    private let client: ClientHandle
    private let callback: Callback<EntryGroupNews>
    private let pointer: OpaquePointer

    init(client: ClientHandle, callback: Callback<EntryGroupNews>) throws(AvahiError) {
        self.client = client
        self.callback = callback
        self.pointer = try client.create { client in
            avahi_entry_group_new(
                client,
                { group, state, userData in
                    let client = group.flatMap { avahi_entry_group_get_client($0) }
                    let error = client.map { avahi_client_errno($0) } ?? 0
                    Callback<EntryGroupNews>.deliver(EntryGroupNews(state: state, error: error), to: userData)
                },
                callback.pointer
            )
        }
    }

    deinit {
        _ = client.withClient { _ in avahi_entry_group_free(pointer) }
    }

    /// Adds the service and commits the group.
    ///
    /// Returns a number of `AVAHI_ERR_…`, or `AVAHI_OK`.
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

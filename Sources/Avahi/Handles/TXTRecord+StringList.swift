import CAvahi

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
    /// Unlike a list to publish, a received list is in the order of the wire, because it was reversed once more on its
    /// way.
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

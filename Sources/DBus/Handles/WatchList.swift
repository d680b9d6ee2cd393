import CDBus

/// What libdbus wants to do with the socket of a connection.
///
/// libdbus keeps a reference to it for as long as it needs it.
final class WatchList {
    private var watches: Set<OpaquePointer> = []

    /// Whether libdbus has something to write.
    var wantsToWrite: Bool {
        watches.contains { watch in
            dbus_watch_get_enabled(watch) != 0 && dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0
        }
    }

    /// Begins to follow the wishes for a connection.
    ///
    /// - Returns: Whether there was memory for it.
    func follow(_ connection: OpaquePointer) -> Bool {
        let data = Unmanaged.passRetained(self)
        let isSet = dbus_connection_set_watch_functions(
            connection,
            { watch, data in
                if let watch { WatchList.of(data)?.watches.insert(watch) }
                return 1
            },
            { watch, data in
                if let watch { WatchList.of(data)?.watches.remove(watch) }
            },
            // Whether a watch is enabled is asked each time.
            nil,
            data.toOpaque(),
            { data in
                if let data { Unmanaged<WatchList>.fromOpaque(data).release() }
            }
        )
        if isSet == 0 { data.release() }
        return isSet != 0
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> WatchList? {
        data.map { Unmanaged<WatchList>.fromOpaque($0).takeUnretainedValue() }
    }
}

import CDBus
import Glibc

/// The owner of one connection to a bus.
///
/// A handle is used on one thread, and never waits.
final class BusHandle {
    private let pointer: OpaquePointer
    private let watches = WatchList()
    private var isClosed = false

    /// Connects to the bus at an address, without waiting for it to accept this program.
    init(address: String) throws(DBusError) {
        guard !address.utf8.contains(0) else { throw Self.unavailable("the address is not valid") }
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let pointer = dbus_connection_open_private(address, &error) else {
            throw Self.unavailable(error.message.map { String(cString: $0) } ?? "no reason given")
        }
        self.pointer = pointer
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        dbus_connection_set_max_message_size(pointer, DBusLimits.messageLength)
        dbus_connection_set_max_received_size(pointer, DBusLimits.waitingLength)
        dbus_connection_set_max_message_unix_fds(pointer, 0)
        guard watches.follow(pointer) else {
            close()
            throw .outOfMemory
        }
    }

    deinit { close() }

    /// Ends the connection; the bus notices it at once.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// Whether the bus still holds the connection.
    var isConnected: Bool { !isClosed && dbus_connection_get_is_connected(pointer) != 0 }

    /// Whether there is something to write now.
    ///
    /// A message that waits until the bus accepts this program does not count: the socket would be reported as writable
    /// all the time, and the thread would spin.
    var hasUnsent: Bool { isConnected && watches.wantsToWrite }

    /// Returns a second descriptor of the socket, which the caller closes; nil if there is none.
    func duplicateSocket() -> CInt? {
        var descriptor: CInt = -1
        guard !isClosed, dbus_connection_get_unix_fd(pointer, &descriptor) != 0 else { return nil }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        return copy < 0 ? nil : copy
    }

    /// Queues a message; returns its serial number, which the answer names.
    func send(_ message: MessageHandle) throws(DBusError) -> UInt32 {
        guard isConnected else { throw Self.lost }
        var serial: dbus_uint32_t = 0
        guard dbus_connection_send(pointer, message.pointer, &serial) != 0 else { throw .outOfMemory }
        return serial
    }

    /// Reads and writes as much as possible without waiting.
    func transfer() {
        guard !isClosed else { return }
        dbus_connection_read_write(pointer, 0)
    }

    /// Returns the next message that has arrived.
    func next() -> MessageHandle? {
        guard !isClosed else { return nil }
        return dbus_connection_pop_message(pointer).map(MessageHandle.init(owning:))
    }

    static let lost = DBusError(.connectionLost, "D-Bus has ended the connection.")

    private static func unavailable(_ reason: String) -> DBusError {
        DBusError(.busUnavailable, "There is no D-Bus for this program: \(reason).")
    }
}

extension BusHandle {
    /// The watches of libdbus on the socket of a connection.
    ///
    /// libdbus holds a reference to the list as long as the connection exists.
    final class WatchList {
        private var watches: Set<OpaquePointer> = []

        /// Whether libdbus has something to write.
        var wantsToWrite: Bool {
            watches.contains { watch in
                dbus_watch_get_enabled(watch) != 0 && dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0
            }
        }

        /// Begins to track the watches of a connection; returns false if there is no memory.
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
                // No callback for toggles: `wantsToWrite` asks each watch whether it is enabled.
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
}

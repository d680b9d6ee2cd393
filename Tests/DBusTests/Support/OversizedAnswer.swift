import CDBus

@testable import DBus

/// Arguments that this program itself would not send.
enum OversizedAnswer {
    /// Writes variants in one another.
    static func writeNested(_ depth: Int, _ message: OpaquePointer) {
        var iterators = Array(repeating: DBusMessageIter(), count: depth + 1)
        iterators.withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return }
            dbus_message_iter_init_append(message, first)
            for level in 0..<depth {
                let signature = level == depth - 1 ? "y" : "v"
                dbus_message_iter_open_container(first + level, DBusType.variant, signature, first + level + 1)
            }
            var byte: UInt8 = 7
            dbus_message_iter_append_basic(first + depth, DBusType.byte, &byte)
            for level in (0..<depth).reversed() {
                dbus_message_iter_close_container(first + level, first + level + 1)
            }
        }
    }

    /// Writes an array of numbers of four bytes.
    static func writeNumbers(_ count: Int, _ message: OpaquePointer) {
        var (outer, inner) = (DBusMessageIter(), DBusMessageIter())
        dbus_message_iter_init_append(message, &outer)
        dbus_message_iter_open_container(&outer, DBusType.array, "u", &inner)
        let numbers = [UInt32](repeating: 7, count: count)
        numbers.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            dbus_message_iter_append_fixed_array(&inner, DBusType.uint32, &start, CInt(count))
        }
        dbus_message_iter_close_container(&outer, &inner)
    }
}

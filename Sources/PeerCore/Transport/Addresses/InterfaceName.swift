import Glibc

/// The names of network interfaces.
package enum InterfaceName {
    /// Returns the name of the interface with an index; nil if there is none.
    package static func of(index: UInt32) -> String? {
        guard index != 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let base = buffer.baseAddress, if_indextoname(index, base) != nil else { return nil }
            return String(cString: base)
        }
    }
}

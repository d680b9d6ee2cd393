/// What a process needs a store for.
package enum StoreAccess: Hashable, Sendable {
    /// Reading and writing. A store that does not exist is created.
    case creating
    /// Reading and writing a store that exists.
    case writing
    /// Reading a store that exists, which may be on a read-only disk.
    case reading
}

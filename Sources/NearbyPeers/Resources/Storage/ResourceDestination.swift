/// The place where a received resource is stored.
///
/// Existing files are never replaced. A file appears under its name only when it is complete, verified and on the disk.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ResourceDestination: Hashable, Sendable {
    /// A file, which must not exist yet, in an existing folder.
    case file(path: String)

    /// A new file in an existing folder.
    ///
    /// The name is made from the name in the offer, and is safe whatever the other side has sent: it has no path separators, no
    /// invisible characters, no dot at the start, and at most 200 bytes of UTF-8. If the name is taken, the file gets a number,
    /// as in `Tour (2).gpx`.
    case folder(path: String)

    /// Memory for at most this number of bytes; a larger resource is refused before memory is allocated.
    case memory(limit: Int)
}

/// What is wrong with a file whose beginning was read nevertheless.
///
/// When its battery is empty, a device leaves the file of a hike unfinished. There is no better copy, so all that is complete in it
/// is kept.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum TrackFileDamage: String, Hashable, Sendable {
    /// The file ends within an item.
    case endsEarly
    /// The file has something that no such file may have; what follows is not read.
    case unreadable
    /// The checksum says that bytes have changed.
    case wrongChecksum

    /// What is wrong, in words that follow the name of the file.
    package var words: String {
        switch self {
        case .endsEarly: "ends early, so what would follow is missing."
        case .unreadable: "is damaged, so what follows the damage is missing."
        case .wrongChecksum: "has a wrong checksum, so some of its values may be wrong."
        }
    }
}

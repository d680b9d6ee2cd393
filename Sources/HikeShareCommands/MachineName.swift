import PeerCore

/// The name that a machine has before its owner gives it one.
///
/// It follows from the peer id, so that it stays the same, and tells nothing about the person or the machine.
enum MachineName {
    /// Returns the name, such as `Brave Marmot`.
    static func make(for id: PeerID) -> String {
        let digits = Array(id.hex.utf8)
        // Two words from different parts of the id; both lists have 64 words, so that all are equally likely.
        let first = index(digits.prefix(2))
        let second = index(digits.dropFirst(2).prefix(2))
        return "\(adjectives[first % adjectives.count]) \(animals[second % animals.count])"
    }

    private static func index(_ digits: ArraySlice<UInt8>) -> Int {
        Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }

    static let adjectives = [
        "Agile", "Alpine", "Amber", "Ancient", "Autumn", "Blue", "Bold", "Brave",
        "Bright", "Brisk", "Calm", "Clever", "Cloudy", "Copper", "Crisp", "Curious",
        "Daring", "Dawn", "Eager", "Early", "Fair", "Fleet", "Free", "Frosty",
        "Gentle", "Glad", "Golden", "Granite", "Green", "Happy", "Hardy", "High",
        "Honest", "Jolly", "Keen", "Kind", "Lively", "Lucky", "Lunar", "Merry",
        "Misty", "Nimble", "Noble", "Northern", "Patient", "Proud", "Quick", "Quiet",
        "Ready", "Rocky", "Ruddy", "Silver", "Sleepy", "Snowy", "Sober", "Steady",
        "Stony", "Sunny", "Swift", "Sylvan", "Tall", "Warm", "Wild", "Windy",
    ]

    static let animals = [
        "Badger", "Bat", "Bear", "Beaver", "Beetle", "Bison", "Boar", "Buzzard",
        "Capercaillie", "Chamois", "Chough", "Cricket", "Crow", "Cuckoo", "Deer", "Dipper",
        "Dormouse", "Dragonfly", "Eagle", "Falcon", "Ferret", "Finch", "Fox", "Frog",
        "Goat", "Goose", "Grouse", "Hare", "Hawk", "Hedgehog", "Heron", "Ibex",
        "Jackdaw", "Jay", "Kestrel", "Kingfisher", "Lark", "Lizard", "Lynx", "Magpie",
        "Marmot", "Marten", "Mole", "Moose", "Mouflon", "Newt", "Nutcracker", "Otter",
        "Owl", "Ox", "Partridge", "Pine Marten", "Ptarmigan", "Rabbit", "Raven", "Robin",
        "Salamander", "Squirrel", "Stoat", "Stork", "Swallow", "Vulture", "Wagtail", "Wolf",
    ]
}

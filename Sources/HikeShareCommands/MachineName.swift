import PeerCore
import RegionStore

/// The random name of a machine.
///
/// The store keeps the name. It reveals nothing about the person or the machine.
enum MachineName {
    /// Returns a random name, such as `Brave Marmot`.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Returns a random name from a generator.
    static func random(using generator: inout some RandomNumberGenerator) -> String {
        let adjective = adjectives.randomElement(using: &generator) ?? ""
        let animal = animals.randomElement(using: &generator) ?? ""
        return "\(adjective) \(animal)"
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

extension RegionStore {
    /// Returns the description of this machine.
    ///
    /// Its key and its name are created on first use.
    ///
    /// The description contains nothing about the person or the system. The name is random unless one is given.
    func localPeer(name: String?) throws -> LocalPeer {
        LocalPeer(
            application: .hikeshare,
            identity: try PeerIdentity.load(orCreateAt: path + "/identity.pem", for: .hikeshare),
            displayName: try name ?? displayName(orElse: MachineName.random),
            software: Software.description
        )
    }
}

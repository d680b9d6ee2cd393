/// The settings for interfaces in the configuration file of the Avahi daemon (avahi-daemon.conf(5)).
package struct AvahiConfiguration: Hashable, Sendable {
    /// The usual place of the file.
    package static let path = "/etc/avahi/avahi-daemon.conf"

    /// The maximum length of a name in a list.
    private static let maximumNameLength = 32
    /// The maximum number of names in a list.
    private static let maximumNames = 64

    /// The only interfaces that the daemon uses; nil if there is no such list.
    package var allowed: [String]?
    /// The interfaces that the daemon does not use.
    package var denied: [String]
    /// Whether both IP versions are switched off.
    package var usesNoIP: Bool

    /// Creates a configuration that excludes nothing.
    package init(allowed: [String]? = nil, denied: [String] = [], usesNoIP: Bool = false) {
        self.allowed = allowed
        self.denied = denied
        self.usesNoIP = usesNoIP
    }

    /// Reads a configuration file; lines that are not understood are ignored.
    package init(parsing text: String) {
        self.init()
        var isServer = false
        var usesIPv4 = true
        var usesIPv6 = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("[") {
                isServer = line == "[server]"
            } else if isServer, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
                let value = Self.trimmed(line[line.index(after: equals)...])
                switch Self.trimmed(line[..<equals]) {
                case "allow-interfaces": allowed = Self.names(value)
                case "deny-interfaces": denied = Self.names(value)
                case "use-ipv4": usesIPv4 = value != "no"
                case "use-ipv6": usesIPv6 = value != "no"
                default: break
                }
            }
        }
        usesNoIP = !usesIPv4 && !usesIPv6
    }

    /// The name of the setting that excludes an interface; nil if none does.
    package func exclusion(of interface: String) -> String? {
        // The daemon checks deny-interfaces first.
        if denied.contains(interface) { return "deny-interfaces" }
        if let allowed, !allowed.contains(interface) { return "allow-interfaces" }
        return usesNoIP ? "use-ipv4" : nil
    }

    private static func names(_ list: some StringProtocol) -> [String] {
        list.split(separator: ",").prefix(maximumNames).map { String(trimmed($0)) }.filter {
            !$0.isEmpty && $0.utf8.count <= maximumNameLength
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// The configuration file of the Avahi daemon (avahi-daemon.conf(5)), as the daemon reads it.
package struct AvahiConfiguration: Hashable, Sendable {
    /// A line that sets something.
    package struct Setting: Hashable, Sendable {
        /// The section, such as `server`, in lower case.
        package var section: String
        /// The name, such as `deny-interfaces`, in lower case.
        package var name: String
        /// The value, with the blanks that the daemon takes as a part of it.
        package var value: String
        /// The line, without blanks at its ends.
        package var line: String
        /// Whether a blank stands before the equals sign: then the daemon does not know the name, and does not start.
        package var isMisspelt = false

        /// Whether the daemon takes the value as a yes.
        var isYes: Bool { value.hasPrefix("y") || value.hasPrefix("Y") }

        /// The value as a list.
        var names: [String] {
            value.split(separator: ",", omittingEmptySubsequences: false).prefix(AvahiConfiguration.maximumNames)
                .map { String(AvahiConfiguration.trimmed($0)) }
        }
    }

    /// The usual place of the file.
    package static let path = "/etc/avahi/avahi-daemon.conf"

    /// The maximum number of settings that are kept; the daemon knows about 40.
    private static let maximumSettings = 128
    /// The maximum length of a line in bytes, above which the daemon reads it as two.
    private static let maximumLineLength = 255
    /// The maximum number of names in a list; a line has room for no more.
    private static let maximumNames = 128

    /// The settings in the order of the file; of those with the same name only the first, which is the one that counts.
    package let settings: [Setting]

    /// Creates a configuration that sets nothing.
    package init() { settings = [] }

    /// Reads a configuration file; lines that are not understood are ignored.
    package init(parsing text: String) {
        var section = ""
        var settings: [Setting] = []
        for line in text.split(whereSeparator: \.isNewline) where line.utf8.count <= Self.maximumLineLength {
            let whole = Self.trimmed(line)
            if whole.hasPrefix("[") {
                section = whole.dropFirst().prefix { $0 != "]" }.lowercased()
            } else if !whole.hasPrefix("#"), !whole.hasPrefix("%"), let equals = line.firstIndex(of: "="),
                settings.count < Self.maximumSettings
            {
                let before = line[..<equals].drop { Self.isBlank($0) }
                let name = Self.trimmed(before)
                let setting = Setting(
                    section: section,
                    name: name.lowercased(),
                    value: String(line[line.index(after: equals)...]),
                    line: String(whole),
                    isMisspelt: name != before
                )
                guard Self.isPlain(name) else { continue }
                let isFirst = !settings.contains { $0.section == section && $0.name == setting.name }
                if isFirst { settings.append(setting) }
            }
        }
        self.settings = settings
    }

    /// Whether a name consists of what the names of all settings consist of.
    private static func isPlain(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    fileprivate static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}

/// A signal that an object has sent.
///
/// Every program on the bus can send a signal directly to this program, even under the name of another interface. So a
/// signal is only a reason to read the property that has changed, and never a proof.
package struct DBusSignal: Hashable, Sendable {
    /// The unique name of the sender on the bus, such as `:1.7`; nil if the bus gave none.
    package var sender: String?
    /// The path of the object.
    package var path: String
    /// The interface of the signal.
    package var interface: String
    /// The name of the signal.
    package var name: String
    /// The arguments.
    package var arguments: [DBusValue]
}

extension DBusSignal {
    /// The signals that a program wants.
    package struct Filter: Hashable, Sendable {
        /// The service that sends them.
        package var service: String
        /// The interface.
        package var interface: String
        /// The path of the object; nil for all objects.
        package var path: String?
        /// The name of the signal; nil for all signals of the interface.
        package var name: String?

        /// Describes signals.
        package init(service: String, interface: String, path: String? = nil, name: String? = nil) {
            self.service = service
            self.interface = interface
            self.path = path
            self.name = name
        }

        /// Returns whether a signal matches; the bus has already checked the sender.
        func matches(_ signal: DBusSignal) -> Bool {
            signal.interface == interface && path.map { $0 == signal.path } ?? true
                && name.map { $0 == signal.name } ?? true
        }

        /// The rule for the bus. (D-Bus specification, "Match Rules".)
        func rule() throws(DBusError) -> String {
            try DBusNames.check(service: service)
            try DBusNames.check(interface: interface)
            if let path { try DBusNames.check(path: path) }
            if let name { try DBusNames.check(member: name) }
            var parts = ["type='signal'", "sender='\(service)'", "interface='\(interface)'"]
            if let path { parts.append("path='\(path)'") }
            if let name { parts.append("member='\(name)'") }
            return parts.joined(separator: ",")
        }
    }
}

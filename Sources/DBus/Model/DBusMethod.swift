/// A method of an object on the bus.
package struct DBusMethod: Hashable, Sendable {
    /// The service that has the object, such as `org.freedesktop.NetworkManager`.
    package var service: String
    /// The path of the object.
    package var path: String
    /// The interface that has the method.
    package var interface: String
    /// The name of the method.
    package var name: String

    /// Names a method; the names are checked when the method is called.
    package init(service: String, path: String, interface: String, name: String) {
        self.service = service
        self.path = path
        self.interface = interface
        self.name = name
    }
}

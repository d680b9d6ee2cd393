import Testing

@testable import DBus

/// libdbus ends the process at a name that is not valid, so each of these must be refused before.
@Suite struct DBusNamesTests {
    private static let common = [
        "", "\0", "a\0b", "ä", " ", "a b", "\n", ".", "..", "/", String(repeating: "a", count: 2_000_000),
    ]

    @Test(arguments: common + ["a", "a.", ".a", "a..b", "1.2", "a.1b", "a.b/c", "a.b\0", "a." + long])
    func refusesService(name: String) {
        refuses { () throws(DBusError) in try DBusNames.check(service: name) }
        let method = DBusMethod(service: name, path: "/", interface: "a.b", name: "c")
        refuses { () throws(DBusError) in _ = try MessageHandle(calling: method) }
        let filter = DBusSignal.Filter(service: name, interface: "a.b")
        refuses { () throws(DBusError) in _ = try filter.rule() }
    }

    @Test(arguments: common.filter { $0 != "/" } + ["a", "/a/", "//", "/a//b", "/a-b", "/a.b", "/a'b", "/a\0"])
    func refusesPath(path: String) {
        refuses { () throws(DBusError) in try DBusNames.check(path: path) }
        let method = DBusMethod(service: "a.b", path: path, interface: "a.b", name: "c")
        refuses { () throws(DBusError) in _ = try MessageHandle(calling: method) }
        let filter = DBusSignal.Filter(service: "a.b", interface: "a.b", path: path)
        refuses { () throws(DBusError) in _ = try filter.rule() }
    }

    @Test(arguments: common + ["a", "a.", ".a", "a..b", "a.1b", "a.b-c", ":1.2", "a.b'", "a.b\0", "a." + long])
    func refusesInterface(name: String) {
        refuses { () throws(DBusError) in try DBusNames.check(interface: name) }
        let method = DBusMethod(service: "a.b", path: "/", interface: name, name: "c")
        refuses { () throws(DBusError) in _ = try MessageHandle(calling: method) }
        let filter = DBusSignal.Filter(service: "a.b", interface: name)
        refuses { () throws(DBusError) in _ = try filter.rule() }
    }

    @Test(arguments: common + ["1a", "a.b", "a-b", "a'b", "a\0", long])
    func refusesMember(name: String) {
        refuses { () throws(DBusError) in try DBusNames.check(member: name) }
        let method = DBusMethod(service: "a.b", path: "/", interface: "a.b", name: name)
        refuses { () throws(DBusError) in _ = try MessageHandle(calling: method) }
        let filter = DBusSignal.Filter(service: "a.b", interface: "a.b", name: name)
        refuses { () throws(DBusError) in _ = try filter.rule() }
    }

    @Test(arguments: ["z", "(", "()", "a", "a{vs}", "{ss}", "s\0", String(repeating: "s", count: 256)])
    func refusesSignature(text: String) {
        refuses { () throws(DBusError) in try DBusNames.check(signature: text) }
    }

    @Test(arguments: ["", "ss", "a{s", "{ss}", "a{sv}a{sv}", String(repeating: "a", count: 33) + "s"])
    func refusesTypeThatIsNotOne(text: String) {
        refuses { () throws(DBusError) in try DBusNames.check(singleType: text) }
    }

    @Test func acceptsNamesOfRealServices() throws {
        for name in ["org.freedesktop.DBus", ":1.7", "a.b-c", "_a.b_"] { try DBusNames.check(service: name) }
        for path in ["/", "/org/freedesktop/NetworkManager/Devices/3", "/_"] { try DBusNames.check(path: path) }
        for name in ["org.freedesktop.DBus.Properties", "a.b1"] { try DBusNames.check(interface: name) }
        for name in ["Get", "AddAndActivateConnection2", "_a1"] { try DBusNames.check(member: name) }
        for text in ["", "ä €  \u{1F3D4}", "\u{FFFE}", "\r\n\t"] { try DBusNames.check(string: text) }
        for text in ["", "a{sv}", "a{sa{sv}}oa{sv}", "(ybnqiuxtdsogv)"] { try DBusNames.check(signature: text) }
    }

    @Test func aRuleNamesEverything() throws {
        let filter = DBusSignal.Filter(service: "a.b", interface: "c.d", path: "/e", name: "F")
        #expect(try filter.rule() == "type='signal',sender='a.b',interface='c.d',path='/e',member='F'")
        #expect(
            try DBusSignal.Filter(service: "a.b", interface: "c.d").rule()
                == "type='signal',sender='a.b',interface='c.d'"
        )
    }

    private static let long = String(repeating: "a", count: 256)

    private func refuses(
        _ location: SourceLocation = #_sourceLocation,
        _ check: () throws(DBusError) -> Void
    ) {
        do throws(DBusError) {
            try check()
            Issue.record("accepted", sourceLocation: location)
        } catch {
            #expect(error.code == .invalidArgument, sourceLocation: location)
        }
    }
}

import Avahi
import Testing

@Suite struct ServiceTypeTests {
    @Test(arguments: ["a", "hikeshare", "a1", "a-b", "abcdefghijklmno", "x-1-y"])
    func acceptsName(_ name: String) throws {
        #expect(try ServiceType(name: name).description == "_\(name)._tcp")
        #expect(try ServiceType("_\(name)._tcp") == ServiceType(name: name))
        #expect(try ServiceType("_\(name)._udp") == ServiceType(name: name, transport: .udp))
    }

    @Test(arguments: [
        "", "abcdefghijklmnop", "1a", "-a", "a-", "a--b", "A", "a_b", "a b", "a.b", "ä", "a\0", "a\n", "_a", "🏔",
    ])
    func rejectsName(_ name: String) {
        #expect(throws: AvahiError.self) { try ServiceType(name: name) }
        #expect(throws: AvahiError.self) { try ServiceType("_\(name)._tcp") }
    }

    @Test(arguments: [
        "", "_", "a", "_a", "_a._sctp", "a._tcp", "_a_tcp", "_._tcp", "._tcp", "_tcp", "_a._tcp.", "_a._TCP",
    ])
    func rejectsText(_ text: String) {
        let error = #expect(throws: AvahiError.self) { try ServiceType(text) }
        #expect(error?.code == .invalidServiceType)
        #expect(error?.remedy?.contains("_name._tcp") == true)
    }
}

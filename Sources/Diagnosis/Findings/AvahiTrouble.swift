/// stub
package enum AvahiTrouble: Hashable, Sendable {
    case stub
    package var code: Finding.Code { .avahiMissing }
    package var severity: Finding.Severity { .problem }
    package var interface: String? { nil }
    static func judge(avahi: AvahiFacts, machine: MachineFacts, multicast: MulticastFacts?, peersOn: Set<String>) -> [AvahiTrouble] { [] }
}

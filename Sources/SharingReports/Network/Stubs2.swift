import Diagnosis
import PeerCore
enum OpenFirewall {
    static func command(_ port: Int? = nil) -> String { "sudo hikeshare doctor --open-firewall" + (port.map { $0 == PeerServiceType.hikeshare.defaultPort ? "" : " --port \($0)" } ?? "") }
}
extension AvahiTrouble {
    var message: String { "" }
    var remedy: String? { nil }
    var commands: [String] { [] }
}

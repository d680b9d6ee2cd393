import HostNetwork
enum ViewInquiry { static func ask(_ addresses: [IPAddress], port: Int, on machine: MachineFacts) async -> PeerView? { nil } }
enum KeptBackProbe { static func run(_ target: ConnectionProbe.Target, over interface: String) async -> Bool? { nil } }

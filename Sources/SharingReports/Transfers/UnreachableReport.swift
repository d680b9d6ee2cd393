import Diagnosis
package import RegionSharing

extension UnreachableReceiver: Report {
    package var payloads: [JSONObject] {
        [
            [
                "type": "unreachable", "address": address, "arrivals": view.arrivals.rawValue,
                "back": view.back?.rawValue,
            ]
        ]
    }

    package var text: DisplayText {
        "A machine nearby (\(address)) hears this one, but cannot connect to it. \(reason)"
    }

    private var reason: DisplayText {
        switch (view.back, view.arrivals) {
        case (.kept, _): "The firewall of this machine drops the answers: let them out in the local network."
        case (.noRoute, _): "This machine has no way to it: end a VPN that takes all packets."
        case (_, .halfOpen): "The answers of this machine do not reach it: look at the firewall of that machine."
        default: "Its packets do not arrive here: look at the firewalls of both machines."
        }
    }
}

import Diagnosis
package import RegionSharing

extension UnreachableReceiver: ObjectReport {
    package var json: JSONObject {
        let advice = FindingAdvice(for: cause.finding)
        return [
            "type": "unreachable", "address": address, "arrivals": view.arrivals.rawValue,
            "back": view.back?.rawValue, "code": cause.code, "message": cause.finding.message,
            "commands": advice.commands.isEmpty ? nil : advice.commands,
        ]
    }

    package var text: DisplayText { cause.finding.hint.typed }
}

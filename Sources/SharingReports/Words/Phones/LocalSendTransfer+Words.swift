import PeerCore
package import RegionSharing
import RegionStore

extension LocalSendTransfer {
    /// The file with its size, if that is known.
    private var file: DisplayText { size == 0 ? "\(name)" : "\(name), \(Wording.size(size))" }

    /// When the phone has everything; empty if it is not known.
    ///
    /// A phone that waits for others reads the place, too.
    package var time: DisplayText {
        let left = secondsLeft.map { ", \(Wording.roughly(.seconds($0)))" as DisplayText } ?? ""
        guard let turn, turn.place > 1 else { return left }
        return ", \(Wording.ordinal(turn.place))\(left)"
    }

    /// How it stands, in a line of a window with little room: the least important comes last.
    var shortLine: DisplayText {
        guard state == .running else { return line }
        let name = DisplayText(quoting: phone.name, width: 24)
        return "\(name): \(Wording.percent(fraction)) of \(Wording.size(size))\(time)  \(self.name)"
    }

    /// How it stands, in a line.
    package var line: DisplayText {
        switch state {
        case .preparing: "Making \(name) for \(phone.title)…"
        case .asking: "\(phone.title) waits for your answer before it gets \(name)…"
        case .waiting: "\(phone.title) asks whether to take \(name)…"
        case .running: "\(phone.title) gets \(file): \(Wording.percent(fraction))\(time)"
        case .complete: "\(phone.title) has \(file)"
        case .ended(let end): DisplayText(end.reason(phone))
        }
    }
}

extension LocalSendTransfer: ObjectReport {
    package var json: JSONObject {
        let (state, end): (String, LocalSendEnd?) =
            switch self.state {
            case .preparing: ("preparing", nil)
            case .asking: ("asking", nil)
            case .waiting: ("waiting", nil)
            case .running: ("running", nil)
            case .complete: ("complete", nil)
            case .ended(let end): ("ended", end)
            }
        return [
            "type": "phoneTransfer",
            "number": number,
            "phone": phone.json,
            "file": name,
            "bytes": bytes,
            "size": size,
            "state": state,
            "end": end?.json,
            "lack": lack,
            "leftOut": leftOut.isEmpty ? nil : leftOut,
            "place": turn?.place,
            "receivers": turn?.count,
            "secondsLeft": secondsLeft.map { $0.isFinite ? max(0, $0).rounded() : 0 },
        ]
    }

    /// How it stands; below the end, what a person can do, or what the file of the phone lacks.
    package var text: DisplayText {
        switch state {
        case .preparing, .asking, .waiting, .running: line
        case .complete: "\(line)\(remark(typed: true))"
        case .ended(let end): end.advice.map { "\(line)\n\($0.typed)" } ?? line
        }
    }

    /// The same, in the window.
    package var windowText: DisplayText {
        switch state {
        case .preparing, .asking, .waiting, .running: line
        case .complete: "\(line)\(remark(typed: false))"
        case .ended(let end): end.advice?.window.map { "\(line) \($0)" } ?? line
        }
    }

    /// What the file lacks, and how to send that, too; `typed` says whether it may name options.
    private func remark(typed: Bool) -> DisplayText {
        var lines: [DisplayText] = []
        if !leftOut.isEmpty {
            let option: DisplayText = typed ? " (--web-personal adds that for a phone that you have confirmed)" : ""
            lines.append("Not in it: \(DisplayText(escaping: Wording.list(leftOut)))\(option).")
        }
        if let lack {
            let kinds = wholeKinds.compactMap { typed ? $0.typedWord.map { "--as \($0)" } : "“\($0.phoneWords)”" }
            let verb = typed ? "send it with" : "choose"
            let words = "\(verb) \(kinds.joined(separator: " or "))."
            let advice: DisplayText = kinds.isEmpty ? "" : " For the whole map, \(words)"
            lines.append("\(DisplayText(escaping: lack))\(advice)")
        }
        guard !lines.isEmpty else { return "" }
        return typed ? "\n\(lines.joined(separator: "\n"))" : ". \(lines.joined(separator: " "))"
    }
}

import NetworkManager
import RegionSharing

extension LeaveNetworkQuestion {
    /// What happens to the present network.
    var introduction: DisplayText {
        switch purpose {
        case .making:
            "The Wi-Fi card can use only one network. This laptop leaves “\(current)” now and returns at the end."
        case .joining: "This laptop leaves “\(current)” now, and returns to it at the end."
        }
    }

    /// The question.
    var question: DisplayText { "\(purpose == .making ? "Make" : "Join") the Wi-Fi network \(name)?" }
}

extension JoinByHandQuestion {
    /// The instructions.
    var introduction: DisplayText {
        "\(reason.message)\nJoin this network yourself, in the settings of the desktop:\n"
            + MadeNetwork.table(name, password)
    }
}

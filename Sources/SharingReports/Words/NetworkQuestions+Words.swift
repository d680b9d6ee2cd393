import NetworkManager
package import RegionSharing

extension LeaveNetworkQuestion {
    /// What happens to the present network.
    package var introduction: DisplayText {
        switch purpose {
        case .making:
            "The Wi-Fi card can use only one network. This laptop leaves “\(current)” now and returns at the end."
        case .joining: "This laptop leaves “\(current)” now, and returns to it at the end."
        }
    }

    package var question: DisplayText { "\(purpose == .making ? "Make" : "Join") the Wi-Fi network \(name)?" }
}

extension JoinByHandQuestion {
    /// The instructions.
    package var introduction: DisplayText {
        "\(reason.message)\nJoin this network yourself, in the settings of the desktop:\n"
            + MadeNetwork.table(name, password)
    }
}

/// Something that has happened while regions are shared.
///
/// A happening has the facts, and no words but the names that people gave.
///
/// ```swift
/// func tell(_ happening: Happening) {
///     switch happening {
///     case .receiving(.received(let region, isLast: _)): print("Received \(region.regionName)")
///     case .problem(let error): print("\(error)")
///     default: break
///     }
/// }
/// ```
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum Happening: Sendable {
    /// Something went wrong, or deserves a warning, and does not end what is going on.
    case problem(any Error)
    /// Something about a reception.
    case receiving(ReceivingHappening)
    /// Something about what is taken of trusted machines.
    case keeping(KeepingHappening)
    /// Something about other machines.
    case finding(FindingHappening)
    /// Something about Wi-Fi networks.
    case networks(NetworkHappening)
    /// Something while regions are sent.
    case sending(SendingHappening)
    /// Something while files are imported.
    case importing(ImportingHappening)
    /// Something with a stick.
    case stick(StickHappening)
    /// Something about the page for phones.
    case phones(PhoneHappening)
}

package import RegionSharing

extension LocalSendPhone {
    /// The longest model that is shown, in columns.
    private static let modelWidth = 24

    /// What a list says of it beside its name: the model that it claims.
    package var details: [DisplayText] { model.map { [DisplayText(quoting: $0, width: Self.modelWidth)] } ?? [] }

    /// The fields of its JSON.
    package var json: JSONObject {
        [
            "number": number,
            "name": name,
            "known": recognition.json,
            "model": model,
            "address": address,
            "encrypted": isEncrypted,
            "fingerprint": fingerprint,
        ]
    }
}

extension LocalSendPhone.Recognition {
    /// The value in JSON.
    fileprivate var json: String {
        switch self {
        case .new: "new"
        case .confirmed: "confirmed"
        case .changed: "changed"
        }
    }
}

import PeerProtocol

extension Preface {
    /// What peers of hikeshare say first.
    static let hikeshare = Preface(application: "hikeshare")
}

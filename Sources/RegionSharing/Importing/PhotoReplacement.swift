package import RegionStore

/// Whether a photo takes the place of the one that its waypoint has; nil without an answer.
///
/// Without one, the photo is refused.
package struct PhotoReplacement: Question {
    /// The name of the file, as the person has given it.
    package var file: String
    /// The name of the waypoint.
    package var label: String
    package var region: RegionSummary

    package var defaultAnswer: Bool? { nil }
}

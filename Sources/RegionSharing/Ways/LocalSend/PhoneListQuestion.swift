package import RegionStore

/// Whether the tracks and the photos of several files are added, which a phone has sent together by LocalSend; nil without an answer.
///
/// A phone sends hundreds of photos at once, and nobody answers hundreds of questions.
package struct PhoneListQuestion: Question {
    package var phone: LocalSendPhone
    /// The number of files of tracks.
    package var trackFiles = 0
    /// The numbers of items that they have.
    package var hikes = 0
    package var plannedRoutes = 0
    package var waypoints = 0
    /// The number of items of the regions that would change.
    package var changes = 0
    /// The number of items that are left out, because they lie on no map.
    package var outside = 0
    /// The number of photos, each of another waypoint.
    package var photos = 0
    /// Whether the photos take the place of others; then there are no tracks.
    package var isReplacing = false
    /// The regions to which all this is added, in the order of their names.
    package var regions: [RegionSummary] = []
    /// The time in which it must be answered.
    package var patience = PhoneFileQuestion.longPatience

    package var defaultAnswer: Bool? { nil }

    package init(_ phone: LocalSendPhone) { self.phone = phone }
}

import PeerStorage

/// The note of a waypoint or hike, which has the comment and the description of a file.
enum GPXNote {
    /// Returns the comment and the description, from the note and the texts of its file.
    ///
    /// If the note was edited since, it is the description.
    static func parts(of note: String, _ words: GPXWords?) -> (comment: String?, description: String?) {
        guard let comment = words?.comment, !comment.isEmpty else { return (nil, note) }
        let (all, end) = (Array(note.utf8), Array(comment.utf8))
        if all == end { return (comment, words?.isCommentTwice == true ? comment : nil) }
        guard all.count > end.count, all.suffix(end.count).elementsEqual(end),
            all[all.count - end.count - 1] == 0x0A
        else { return (nil, note) }
        return (comment, String(decoding: all.dropLast(end.count + 1), as: UTF8.self))
    }
}

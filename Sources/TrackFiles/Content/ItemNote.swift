package import RegionModel

/// The note of a waypoint or hike, which has the comment and the description of a file.
package enum ItemNote {
    /// Returns the comment and the description in a note; a note that was edited since is all description.
    package static func parts(of note: String, _ words: ItemWords?) -> (comment: String?, description: String?) {
        guard let comment = words?.comment, !comment.isEmpty else { return (nil, note) }
        let (all, end) = (Array(note.utf8), Array(comment.utf8))
        if all == end { return (comment, words?.isCommentTwice == true ? comment : nil) }
        guard all.count > end.count, all.suffix(end.count).elementsEqual(end),
            all[all.count - end.count - 1] == 0x0A
        else { return (nil, note) }
        return (comment, String(decoding: all.dropLast(end.count + 1), as: UTF8.self))
    }
}

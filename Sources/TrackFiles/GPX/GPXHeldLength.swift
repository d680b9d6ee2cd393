import FoundationEssentials
import PeerStorage
import RegionModel

// Estimates of the memory that the content of a file takes, in bytes. They bound it: neither the number of items nor the length of
// texts alone does.

extension String {
    /// The memory beside the value itself.
    fileprivate var heldLength: Int { utf8.count < 16 ? 0 : utf8.count + 48 }
}

extension String? {
    fileprivate var heldLength: Int { self?.heldLength ?? 0 }
}

extension Data? {
    fileprivate var heldLength: Int { map { $0.count + 128 } ?? 0 }
}

extension Array {
    /// The memory of the elements, without what they refer to.
    fileprivate var heldLength: Int { isEmpty ? 0 : count * MemoryLayout<Element>.stride + 48 }
}

extension GPXLink {
    fileprivate var heldLength: Int { address.heldLength + text.heldLength + type.heldLength }
}

extension PointTexts {
    fileprivate var heldLength: Int {
        name.heldLength + comment.heldLength + description.heldLength + symbol.heldLength + type.heldLength
    }
}

extension ItemSupplement {
    fileprivate var heldLength: Int {
        var length = track.heldLength + sensors.heldLength
        if let pointTexts { length += pointTexts.reduce(pointTexts.heldLength) { $0 + $1.heldLength } }
        guard let words else { return length }
        for text in [words.comment, words.description, words.symbol, words.type, words.color, words.icon, words.time] {
            length += text.heldLength
        }
        return length + words.links.reduce(words.links.heldLength) { $0 + $1.heldLength }
    }
}

// An array that grows has room for up to twice its elements.

extension Waypoint {
    var heldLength: Int {
        2 * MemoryLayout<Waypoint>.stride + label.heldLength + note.heldLength + supplement.heldLength
    }
}

extension PlannedRoute {
    var heldLength: Int {
        2 * MemoryLayout<PlannedRoute>.stride + name.heldLength + coordinates.heldLength
            + (elevationProfile?.heldLength ?? 0) + supplement.heldLength
    }
}

extension SavedRoute {
    var heldLength: Int {
        2 * MemoryLayout<SavedRoute>.stride + name.heldLength + comment.heldLength + Data?.some(trackData).heldLength
            + supplement.heldLength
    }
}

extension GPXContent.PointWords {
    var heldLength: Int {
        let texts = [words.name, words.comment, words.description, words.symbol, words.type]
        return texts.reduce(2 * MemoryLayout<Self>.stride) { $0 + $1.heldLength }
    }
}

extension Track {
    var heldLength: Int {
        points.count * (MemoryLayout<TrackPoint>.stride + sensors.count * MemoryLayout<Int32>.stride)
            + segmentStarts.count * MemoryLayout<Int>.stride
    }
}

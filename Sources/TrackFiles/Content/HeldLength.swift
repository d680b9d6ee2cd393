import FoundationEssentials
import PeerStorage
import RegionModel

// Estimates of the memory that the content of a file takes, in bytes. They bound it: neither the number of items nor the length of
// texts alone does. An array that grows has room for up to twice its elements.

/// Returns the memory of texts beside the values themselves.
private func held(_ texts: String?...) -> Int {
    texts.reduce(0) { sum, text in
        let count = text?.utf8.count ?? 0
        return sum + (count < 16 ? 0 : count + 48)
    }
}

private func held(_ data: Data?) -> Int { data.map { $0.count + 128 } ?? 0 }

/// Returns the memory of the elements, without what they refer to.
private func held<Element>(_ elements: [Element]?) -> Int {
    elements.map { $0.isEmpty ? 0 : $0.count * MemoryLayout<Element>.stride + 48 } ?? 0
}

extension ItemSupplement {
    fileprivate var heldLength: Int {
        var length = held(track) + held(sensors) + held(pointTexts)
        for point in pointTexts ?? [] {
            length += held(point.name, point.comment, point.description, point.symbol, point.type)
        }
        guard let words else { return length }
        length += held(words.comment, words.description, words.symbol, words.type, words.color, words.icon, words.time)
        return words.links.reduce(length + held(words.links)) { $0 + held($1.address, $1.text, $1.type) }
    }
}

extension Waypoint {
    var heldLength: Int { 2 * MemoryLayout<Waypoint>.stride + held(label, note) + supplement.heldLength }
}

extension PlannedRoute {
    var heldLength: Int {
        2 * MemoryLayout<PlannedRoute>.stride + held(name) + held(coordinates) + held(elevationProfile)
            + supplement.heldLength
    }
}

extension SavedRoute {
    var heldLength: Int {
        2 * MemoryLayout<SavedRoute>.stride + held(name, comment) + held(trackData) + supplement.heldLength
    }
}

extension TrackContent.PointWords {
    var heldLength: Int {
        2 * MemoryLayout<Self>.stride
            + held(words.name, words.comment, words.description, words.symbol, words.type)
    }
}

extension Track {
    var heldLength: Int {
        points.count * (MemoryLayout<TrackPoint>.stride + sensors.count * MemoryLayout<Int32>.stride)
            + segmentStarts.count * MemoryLayout<Int>.stride
    }
}

/// Groups places whose marks would cover each other, so that each group has one mark.
///
/// Marks that are too many for a map are grouped farther, until the map can be seen between them.
struct MarkGroups {
    struct Group: Hashable {
        /// The indices of the places.
        var members: [Int]
        /// The middle of the places, which is the middle of the mark, too.
        var center: PictureFrame.Point
    }

    /// The size of marks.
    struct Size: Hashable {
        /// The width of the mark of one place.
        var alone: Double
        /// The width of the mark of several places.
        var wide: Double
        var height: Double
    }

    private struct Cell: Hashable {
        var column: Int
        var row: Int
    }

    /// The share of the map that marks may cover.
    private static let share = 1.0 / 10
    /// How much farther places are grouped when there are too many marks.
    private static let step = 1.25
    private let size: Size
    /// The map, in which whole marks have to be.
    private let map: (width: Double, height: Double)
    private(set) var groups: [Group]

    /// Groups places; all of them are on the map.
    init(of places: [PictureFrame.Point], size: Size, width: Double, height: Double) {
        self.size = size
        map = (max(width, 1), max(height, 1))
        groups = []
        // Marks of places in one cell cover each other, so what is compared below does not grow with the number of places.
        var cells: [Cell: Int] = [:]
        let side = max(size.height, 1e-3)
        for (index, place) in places.enumerated() {
            let cell = Self.cell(of: place, side: side)
            if let known = cells[cell] {
                groups[known] = merged(groups[known], Group(members: [index], center: place))
            } else {
                cells[cell] = groups.count
                groups.append(Group(members: [index], center: clamped(place, isAlone: true)))
            }
        }
        let most = max(1, Int(min(1e6, map.width * map.height * Self.share / (max(size.wide, 1e-3) * side))))
        var space = 0.0
        group(space)
        while groups.count > most {
            space = max(space * Self.step, size.height / 2)
            group(space)
        }
    }

    /// The rectangle of the mark of a group.
    func box(of group: Group) -> PictureFrame.Box {
        let width = group.members.count == 1 ? size.alone : size.wide
        return PictureFrame.Box(
            left: group.center.x - width / 2,
            top: group.center.y - size.height / 2,
            width: width,
            height: size.height
        )
    }

    /// Makes one group of those whose marks are nearer to each other than a distance, until there are none.
    private mutating func group(_ space: Double) {
        let side = max(size.alone, size.wide, size.height) + space
        var known: [Group?] = groups
        var cells: [Cell: Set<Int>] = [:]
        for (index, group) in groups.enumerated() {
            cells[Self.cell(of: group.center, side: side), default: []].insert(index)
        }
        var waiting = Array(groups.indices.reversed())
        while let index = waiting.popLast() {
            guard let group = known[index] else { continue }
            let cell = Self.cell(of: group.center, side: side)
            let near = (-1...1).flatMap { column in
                (-1...1).flatMap { cells[Cell(column: cell.column + column, row: cell.row + $0)] ?? [] }
            }
            let first = near.filter { other in
                other != index && known[other].map { self.isNear(group, $0, space) } == true
            }.min()
            guard let first, let other = known[first] else { continue }
            cells[cell]?.remove(index)
            cells[Self.cell(of: other.center, side: side)]?.remove(first)
            let merged = merged(other, group)
            (known[index], known[first]) = (nil, merged)
            cells[Self.cell(of: merged.center, side: side), default: []].insert(first)
            waiting.append(first)
        }
        groups = known.compactMap { $0 }
    }

    private func isNear(_ one: Group, _ other: Group, _ space: Double) -> Bool {
        var box = box(of: one)
        (box.left, box.width) = (box.left - space, box.width + 2 * space)
        (box.top, box.height) = (box.top - space, box.height + 2 * space)
        return box.covers(self.box(of: other))
    }

    private func merged(_ one: Group, _ other: Group) -> Group {
        let (first, second) = (Double(one.members.count), Double(other.members.count))
        func middle(_ value: Double, _ added: Double) -> Double { (value * first + added * second) / (first + second) }
        let center = PictureFrame.Point(
            x: middle(one.center.x, other.center.x),
            y: middle(one.center.y, other.center.y)
        )
        return Group(members: one.members + other.members, center: clamped(center, isAlone: false))
    }

    /// Moves the middle of a mark so far that the mark is on the map.
    private func clamped(_ place: PictureFrame.Point, isAlone: Bool) -> PictureFrame.Point {
        func clamp(_ value: Double, _ length: Double, _ edge: Double) -> Double {
            length < 2 * edge ? length / 2 : min(max(value, edge), length - edge)
        }
        return PictureFrame.Point(
            x: clamp(place.x, map.width, (isAlone ? size.alone : size.wide) / 2),
            y: clamp(place.y, map.height, size.height / 2)
        )
    }

    private static func cell(of place: PictureFrame.Point, side: Double) -> Cell {
        func number(_ value: Double) -> Int { Int(exactly: (value / side).rounded(.down)) ?? 0 }
        return Cell(column: number(place.x), row: number(place.y))
    }
}

/// Where the entries of a legend are: beside the map, and on as many further pages as they need.
struct SheetLegend {
    struct Place: Hashable {
        /// 0 for the page with the map.
        var page: Int
        var left: Double
        var top: Double
        var width: Double
    }

    /// Columns of entries on one page.
    private struct Columns {
        var page: Int
        var box: PictureFrame.Box
        var count: Int
        var rowHeight: Double

        init(page: Int, _ box: PictureFrame.Box, atLeast columnWidth: Double, rowHeight: Double) {
            (self.page, self.box, self.rowHeight) = (page, box, rowHeight)
            count = max(1, Int(max(0, box.width) / columnWidth))
        }

        var rows: Int { max(0, Int(max(0, box.height) / rowHeight)) }
        var room: Int { count * rows }

        func place(_ index: Int) -> Place {
            let width = box.width / Double(count)
            return Place(
                page: page,
                left: box.left + Double(index / max(1, rows)) * width,
                top: box.top + Double(index % max(1, rows)) * rowHeight,
                width: width
            )
        }
    }

    static let columnWidth = 170.0
    private static let rowHeight = 21.0
    private static let denseRowHeight = 10.5
    /// The smallest width of a column of further pages, and the height of their rows.
    private static let further = (columnWidth: 155.0, rowHeight: 9.0)
    /// Whether entries have one row in place of two.
    let isDense: Bool
    /// The place of each entry.
    let places: [Place]
    /// Where the first page says that there are others; nil if there are none.
    let continuation: Place?
    /// The number of pages, with that of the map.
    var pageCount: Int { (places.last?.page ?? 0) + 1 }

    /// Lays entries out.
    ///
    /// - Parameters:
    ///   - count: The number of entries.
    ///   - box: The room on the page of the map.
    ///   - further: The room on each further page.
    init(of count: Int, in box: PictureFrame.Box, further: PictureFrame.Box) {
        let wide = Columns(page: 0, box, atLeast: Self.columnWidth, rowHeight: Self.rowHeight)
        isDense = count > wide.room
        let first = isDense ? Columns(page: 0, box, atLeast: Self.columnWidth, rowHeight: Self.denseRowHeight) : wide
        guard count > first.room else {
            (places, continuation) = ((0..<count).map(first.place), nil)
            return
        }
        var places = (0..<max(0, first.room - 1)).map(first.place)
        continuation = first.room > 0 ? first.place(first.room - 1) : nil
        var page = 1
        while places.count < count {
            let size = Self.further
            let next = Columns(page: page, further, atLeast: size.columnWidth, rowHeight: size.rowHeight)
            guard next.room > 0 else { break }
            places += (0..<min(next.room, count - places.count)).map(next.place)
            page += 1
        }
        self.places = places
    }
}

import RegionModel

/// A reader of the elements of one format.
protocol XMLTrackParser {
    /// The name of the format, for people.
    static var format: String { get }

    /// What was read.
    var assembly: TrackAssembly { get set }

    /// The name that the file gives itself; possibly empty.
    var fileName: String { get }

    /// The addresses of the files that the file shows as a part of itself.
    var links: [String] { get }

    /// Takes the beginning of an element; its attributes are in the scanner. The root is not among them.
    mutating func start(_ name: String, _ scanner: XMLScanner) throws(RegionStoreError)

    /// Takes a piece of a text.
    mutating func collect(_ piece: ArraySlice<UInt8>) throws(RegionStoreError)

    /// Takes the end of the element that began last, or of the root.
    mutating func end() throws(RegionStoreError)

    /// Takes the end of the file within elements: keeps the points that are complete, and the lines that they are in.
    mutating func endEarly() throws(RegionStoreError)
}

extension XMLTrackParser {
    var links: [String] { [] }
}

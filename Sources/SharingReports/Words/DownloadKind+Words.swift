package import RegionStore

extension DownloadKind {
    /// What a file of this kind of a region is, for the owner of the region, and what it is for.
    package func words(of region: RegionSummary) -> (title: String, purpose: String) {
        switch self {
        case .html: ("One page (HTML)", "any browser opens it, without internet")
        case .pdf: ("One sheet (PDF)", "for printing")
        case .mbtiles: ("Map (MBTiles)", "as it was added; for Locus Map, Guru Maps and many others")
        case .foreign:
            (
                (region.foreign?.format.title).map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Map",
                region.foreign?.format.opensIn ?? ""
            )
        case .sqlitedb: ("Map for OsmAnd", "OsmAnd cannot read MBTiles")
        case .gpx: ("Hikes, routes and waypoints (GPX)", "for every app and device for tracks")
        case .zip: ("Everything (ZIP)", "to keep, or for another laptop")
        }
    }
}

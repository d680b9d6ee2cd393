/// A project of the program Viking, with one map.
///
/// The form is that of `file.c` and `vikmapslayer.c` of Viking 1.10. Viking opens a GPX file that is named behind the project in
/// the same window.
struct VikingProject {
    /// The number of the map type “MBTiles”.
    private static let mapType = 23
    /// The zoom level at which Viking says that a pixel has the length 1.
    private static let zoomOrigin = 17

    /// The name of the map.
    var name: String
    /// The path of the MBTiles file; Viking does not find relative ones.
    var mapPath: String
    /// What is shown first.
    var view: MapView

    /// The content of the file.
    var text: String {
        let scale = Double(1 << max(0, Self.zoomOrigin - view.zoomLevel))
        // A line feed would begin another field.
        let name = String(self.name.map { $0.isNewline ? " " : $0 })
        return """
            #VIKING GPS Data file http://viking.sf.net/
            FILE_VERSION=1

            xmpp=\(scale)
            ympp=\(scale)
            lat=\(view.latitude)
            lon=\(view.longitude)
            mode=mercator
            color=#cccccc
            highlightcolor=#eea500
            drawscale=t
            drawcentermark=f
            drawhighlight=t

            ~TopLayer Aggregate
            name=Top Layer

            ~Layer Map
            name=\(name)
            mode=\(Self.mapType)
            directory=
            cache_type=1
            mapfile=\(mapPath)
            alpha=255
            autodownload=f
            adlonlymissing=t
            mapzoom=0
            ~EndLayer

            ~EndTopLayer

            """
    }
}

// Regions, items and tiles are values of other modules: `import RegionStore` is enough for an application.
@_exported public import MapFiles
@_exported public import RegionModel

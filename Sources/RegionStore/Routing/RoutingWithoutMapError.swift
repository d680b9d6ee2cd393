/// The cause of a ``RegionStoreError/Code/invalidFile`` error: a routing database was given instead of a map.
package struct RoutingWithoutMapError: Error {}

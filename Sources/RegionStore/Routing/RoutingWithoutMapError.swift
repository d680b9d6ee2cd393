/// The cause of a ``RegionStoreError/Code/invalidFile`` error: a routing database was given where a map belongs.
package struct RoutingWithoutMapError: Error {}

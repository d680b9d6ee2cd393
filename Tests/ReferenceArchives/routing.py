"""Prints the costs of the cheapest ways between random nodes of a routing database, by networkx.

Usage: routing.py DATABASE SEED COUNT

Each line has the positions of two nodes in the order of their ids, and the cost as a hexadecimal number, or "-" if there is no way.
"""

import random
import sqlite3
import sys

import networkx


def main(path, seed, count):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    nodes = {id: index for index, (id,) in enumerate(database.execute("SELECT id FROM routing_nodes ORDER BY id"))}
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(nodes.values())
    edges = "SELECT from_node, to_node, cost, reverse_cost, is_oneway FROM routing_edges"
    for start, end, cost, reverse, oneway in database.execute(edges):
        graph.add_edge(nodes[start], nodes[end], weight=cost)
        if not oneway and reverse != float("inf"):
            graph.add_edge(nodes[end], nodes[start], weight=reverse)
    generator = random.Random(seed)
    ends = max(1, count // 100)
    for _ in range(count // ends):
        start = generator.randrange(len(nodes))
        costs = networkx.single_source_dijkstra_path_length(graph, start)
        for _ in range(ends):
            end = generator.randrange(len(nodes))
            print(start, end, float(costs[end]).hex() if end in costs else "-")


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

"""Stores and their checks."""
import hashlib, os, shutil, sqlite3, tempfile

from common.hikeshare import hikeshare
from common.processes import expect

TABLES = {"region": "id", "regionFile": "regionID", "hike": "regionID", "plannedRoute": "regionID", "waypoint": "regionID",
          "photo": "regionID"}
BOOKKEEPING = {"hikeshare.sqlite", "hikeshare.sqlite-wal", "hikeshare.sqlite-shm", "identity.pem", "lock", "reserve"}
FOLDERS = {"regions", "incoming", "work"}


def digest(path):
    hashed = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            hashed.update(piece)
    return hashed.hexdigest()


class Store:
    """The store of one machine."""

    def __init__(self, soak, path, name):
        self.soak, self.path, self.name = soak, path, name
        self.id = self.run("peers", "list")[0]["id"]
        # By region: the snapshot that the store must have.
        self.expected = {}
        # By region: how often something had been added to it when it was last received.
        self.additions = {}

    def run(self, *arguments):
        """Runs a command that must succeed; returns its lines."""
        return hikeshare(self.soak.binary, *arguments, "--store", self.path, env=self.soak.environment, timeout=300)

    def trust(self, other):
        self.run("peers", "trust", other.id, "--name", other.name)

    def incoming(self):
        """The bytes of files that are not complete."""
        return sum(line["bytes"] for line in self.run("list", "--incoming"))

    def query(self, sql, *arguments):
        database = sqlite3.connect(os.path.join(self.path, "hikeshare.sqlite"), timeout=20)
        try:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql, arguments)]
        finally:
            database.close()

    def last_transfer(self):
        return self.query("SELECT coalesce(max(id), 0) AS id FROM transfer")[0]["id"]

    def completed_since(self, last):
        """The number of transfers that were committed after a given one."""
        return self.query("SELECT count(*) AS count FROM transfer WHERE id > ? AND direction = 'received'"
                          " AND outcome = 'completed'", last)[0]["count"]

    def listing(self):
        """The lines of `list` by region, without the time at which each region came."""
        lines = {line["id"]: line for line in self.run("list")}
        for line in lines.values():
            del line["addedAt"]
        return lines

    def snapshot(self, region):
        """Everything of a region that is transferred: its line of `list`, its rows, the digests of the exported files."""
        listed = self.listing()[region]
        rows = {table: self.query(f"SELECT * FROM {table} WHERE {key} = ? ORDER BY 1, 2", region)
                for table, key in TABLES.items()}
        for row in rows["photo"]:
            row["data"] = hashlib.sha256(row["data"]).hexdigest()
        for row in rows["region"]:
            # When the region came differs between stores.
            del row["addedAt"]
        for table in ("hike", "plannedRoute", "waypoint"):
            for row in rows[table]:
                # It is computed when it is needed, from the rest of the row.
                del row["fingerprint"]
        for row in rows["regionFile"]:
            # So does the identity of the file.
            del row["fileNumber"], row["modifiedAt"]
            row["chunkDigests"] = hashlib.sha256(row["chunkDigests"]).hexdigest()
        with tempfile.TemporaryDirectory(dir=self.soak.work) as folder:
            self.run("export", region, "--to", folder)
            digests = {}
            for name in os.listdir(folder):
                digests[name] = digest(os.path.join(folder, name))
        return {"listed": listed, "rows": rows, "exported": digests}

    def check_snapshot(self, region):
        found, wanted = self.snapshot(region), self.expected[region]
        for part in wanted:
            expect(found[part] == wanted[part],
                   f"{self.path}: {part} of {region} is not what the sender has: {found[part]} instead of {wanted[part]}")

    def check(self):
        """Checks that the store has exactly the expected regions."""
        listed = self.listing()
        wanted = {region: snapshot["listed"] for region, snapshot in self.expected.items()}
        expect(listed == wanted, f"{self.path}: list says {listed} instead of {wanted}")
        expect(not self.run("list", "--incoming"), f"{self.path}: list --incoming shows something")
        check = self.query("PRAGMA integrity_check") + self.query("PRAGMA foreign_key_check")
        expect(check == [{"integrity_check": "ok"}], f"{self.path}: the database is damaged: {check}")
        self.check_files()

    def check_files(self):
        """Checks that the store has exactly the files that its database names."""
        endings = {"mbtiles": "mbtiles", "routing": "routing.db"}
        named = {f"regions/{row['regionID']}/{row['digest'].hex()}.{endings[row['kind']]}": row["size"]
                 for row in self.query("SELECT * FROM regionFile")}
        found = {}
        for folder, folders, files in os.walk(self.path):
            place = os.path.relpath(folder, self.path)
            if place == ".":
                stray = [name for name in files if name not in BOOKKEEPING] + sorted(set(folders) - FOLDERS)
                expect(not stray, f"{self.path}: stray files {stray}")
                continue
            expect(place == "regions" or folders or files or place in FOLDERS, f"{self.path}: empty folder {place}")
            found.update({f"{place}/{name}": os.path.getsize(os.path.join(folder, name)) for name in files})
        # A map may have an index of its tiles beside it, and nothing else may have one.
        found = {name: size for name, size in found.items() if name.removesuffix(".tiles") + ".mbtiles" not in named}
        expect(found == named, f"{self.path}: the files are {found}; the database names {named}")

    def delete(self):
        shutil.rmtree(self.path)


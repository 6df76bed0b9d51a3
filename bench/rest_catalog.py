"""A minimal Iceberg REST catalog on loopback, so that DuckDB's iceberg extension can MERGE: it writes through REST only.

Tables are registered by metadata location and live in memory; commits write the next metadata file beside it.
"""
import json
import pathlib
import threading
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pyiceberg.table.metadata import TableMetadataUtil
from pyiceberg.table import CommitTableRequest
from pyiceberg.table.update import update_table_metadata


class RestCatalog:
    """Serves until `stop`. `register` names a table in namespace `db`."""

    def __init__(self):
        self.tables = {}
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def register(self, name, metadata_file):
        self.tables[name] = metadata_file

    def stop(self):
        self.server.shutdown()

    def load(self, name):
        location = self.tables[name]
        return {"metadata-location": location, "metadata": json.loads(pathlib.Path(location).read_text()), "config": {}}

    def commit(self, name, body):
        with self.lock:
            base = TableMetadataUtil.parse_raw(pathlib.Path(self.tables[name]).read_text())
            request = CommitTableRequest.model_validate(
                {"identifier": {"namespace": ["db"], "name": name}, "requirements": body["requirements"],
                 "updates": body["updates"]})
            for requirement in request.requirements:
                requirement.validate(base)
            after = update_table_metadata(base, request.updates, False, self.tables[name])
            target = pathlib.Path(self.tables[name]).parent / f"bench-{uuid.uuid4()}.metadata.json"
            target.write_text(after.model_dump_json())
            self.tables[name] = str(target)

    def _handler(catalog):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self, code, body=None):
                data = b"" if body is None else json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def route(self):
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size)) if size else {}
                parts = [urllib.parse.unquote(p) for p in urllib.parse.urlparse(self.path).path.split("/") if p][1:]
                if parts == ["config"]:
                    return self.reply(200, {"defaults": {}, "overrides": {}})
                if parts == ["transactions", "commit"]:
                    for change in body["table-changes"]:
                        catalog.commit(change["identifier"]["name"], change)
                    return self.reply(204)
                if parts == ["namespaces"]:
                    return self.reply(200, {"namespaces": [["db"]]})
                if parts == ["namespaces", "db"]:
                    return self.reply(200, {"namespace": ["db"], "properties": {}})
                if parts[:3] == ["namespaces", "db", "tables"] and len(parts) == 3:
                    names = [{"namespace": ["db"], "name": name} for name in catalog.tables]
                    return self.reply(200, {"identifiers": names})
                if parts[:3] == ["namespaces", "db", "tables"] and parts[3] in catalog.tables:
                    if self.command == "POST" and len(parts) == 4:
                        catalog.commit(parts[3], body)
                    return self.reply(200, catalog.load(parts[3]))
                return self.reply(404, {"error": {"message": self.path, "type": "NoSuchTableException", "code": 404}})

            do_GET = do_POST = do_HEAD = do_DELETE = route

        return Handler

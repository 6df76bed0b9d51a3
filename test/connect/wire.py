"""The service as a client without PySpark's comfort sees it, and a wire that breaks."""
import socket
import threading
import uuid

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from pyspark.sql.connect.proto import base_pb2, base_pb2_grpc, relations_pb2


class Client:
    def __init__(self, port, user="tester", session_id=None, metadata=()):
        self.channel = grpc.insecure_channel(f"localhost:{port}", options=[("grpc.max_receive_message_length", 1 << 27)])
        self.stub = base_pb2_grpc.SparkConnectServiceStub(self.channel)
        self.user = base_pb2.UserContext(user_id=user)
        self.session_id = session_id or str(uuid.uuid4())
        self.metadata = metadata

    def names(self, **more):
        return {"session_id": self.session_id, "user_context": self.user, **more}

    def request(self, plan, operation_id=None, reattachable=True, tags=()):
        request = base_pb2.ExecutePlanRequest(**self.names(plan=plan, tags=tags))
        if operation_id:
            request.operation_id = operation_id
        option = request.request_options.add()
        option.reattach_options.reattachable = reattachable
        return request

    def execute(self, plan, operation_id=None, reattachable=True, tags=()):
        return self.stub.ExecutePlan(self.request(plan, operation_id, reattachable, tags), metadata=self.metadata)

    def reattach(self, operation_id, last_response_id=None):
        request = base_pb2.ReattachExecuteRequest(**self.names(operation_id=operation_id))
        if last_response_id:
            request.last_response_id = last_response_id
        return self.stub.ReattachExecute(request, metadata=self.metadata)

    def release(self, operation_id, until=None):
        request = base_pb2.ReleaseExecuteRequest(**self.names(operation_id=operation_id))
        if until:
            request.release_until.response_id = until
        else:
            request.release_all.SetInParent()
        return self.stub.ReleaseExecute(request, metadata=self.metadata)

    def interrupt(self, **what):
        return self.stub.Interrupt(base_pb2.InterruptRequest(**self.names(**what)), metadata=self.metadata)

    def rows(self, plan):
        """Row counts by start offset of a whole result."""
        return offsets(list(self.execute(plan, reattachable=False)))


def sql(text):
    plan = base_pb2.Plan()
    plan.root.sql.query = text
    return plan


def command(text):
    plan = base_pb2.Plan()
    plan.command.sql_command.input.sql.query = text
    return plan


def numbers(count):
    plan = base_pb2.Plan()
    plan.root.CopyFrom(relations_pb2.Relation(range=relations_pb2.Range(start=0, end=count, step=1)))
    return plan


def offsets(responses):
    return [(r.arrow_batch.start_offset, r.arrow_batch.row_count) for r in responses if r.HasField("arrow_batch")]


def ended(responses):
    return bool(responses) and responses[-1].HasField("result_complete")


def condition_of(error):
    """Spark's condition in the details of a gRPC error."""
    status = rpc_status.from_call(error)
    for detail in status.details if status else []:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info.metadata.get("errorClass")
    return None


class Wire:
    """A proxy in front of a server: each connection breaks after so many bytes towards the client."""

    def __init__(self, port, bytes_each):
        self.port = port
        self.bytes_each = bytes_each
        self.broken = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            threading.Thread(target=self._pump, args=(client, server, None), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, self.bytes_each), daemon=True).start()

    def _pump(self, source, sink, most):
        left = most
        try:
            while True:
                data = source.recv(65536 if left is None else max(1, min(65536, left)))
                if not data:
                    break
                sink.sendall(data)
                if left is not None:
                    left -= len(data)
                    if left <= 0:
                        self.broken += 1
                        break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

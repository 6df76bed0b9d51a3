"""What a client must not send: a clear status, and the server lives on."""
import zlib

import grpc
import pytest
from conftest import start_server
from pyspark.sql.connect.proto import base_pb2
from wire import Client, condition_of, numbers, offsets, sql


@pytest.fixture
def client(port):
    client = Client(port)
    yield client
    assert client.rows(numbers(3)) == [(0, 3)]


def refused(call):
    with pytest.raises(grpc.RpcError) as error:
        call()
    return error.value


def field(number, payload):
    """A length-delimited field of a message, as it goes over the wire."""
    length, size = bytearray(), len(payload)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2]) + bytes(length) + bytes([size]) + payload


def limits_bytes(depth):
    """A relation of so many limits: deeper than Python's messages can be."""
    relation = numbers(5).root.SerializeToString()
    for _ in range(depth):
        relation = field(8, field(1, relation) + b"\x10\x05")
    return relation


def plan_of(relation):
    """The field `plan` of a request, behind its other fields."""
    return field(3, field(1, relation))


def test_an_empty_plan(client):
    assert condition_of(refused(lambda: list(client.execute(base_pb2.Plan())))) == "INTERNAL_ERROR"


def test_a_relation_without_a_kind(client):
    plan = base_pb2.Plan()
    plan.root.SetInParent()
    assert condition_of(refused(lambda: list(client.execute(plan)))) == "INTERNAL_ERROR"


def test_what_is_not_implemented_is_named(client):
    plan = base_pb2.Plan()
    plan.root.sample.input.CopyFrom(numbers(5).root)
    error = refused(lambda: list(client.execute(plan)))
    assert condition_of(error) == "UNSUPPORTED_FEATURE"
    assert "sample" in error.details()


def test_a_deep_plan(client):
    send = client.channel.unary_stream("/spark.connect.SparkConnectService/ExecutePlan",
                                       response_deserializer=base_pb2.ExecutePlanResponse.FromString)
    assert offsets(list(send(client.request(base_pb2.Plan()).SerializeToString() + plan_of(limits_bytes(400))))) == [(0, 5)]
    refused(lambda: list(send(client.request(base_pb2.Plan()).SerializeToString() + plan_of(limits_bytes(100_000)))))


def test_a_long_text(client):
    error = refused(lambda: list(client.execute(sql("SELECT " + "(" * 5_000_000 + "1" + ")" * 5_000_000))))
    assert error.code() == grpc.StatusCode.INTERNAL


def test_rows_that_are_no_arrow(client):
    plan = base_pb2.Plan()
    plan.root.local_relation.data = b"\x10\x00\x00\x00garbage"
    plan.root.local_relation.schema = "a int"
    refused(lambda: list(client.execute(plan)))


@pytest.mark.parametrize("schema", ["a int,", "{", '{"type":"struct"}', "a nothing", '{"type":"array"}', "\0"])
def test_schemas_that_are_none(client, schema):
    plan = base_pb2.Plan()
    plan.root.local_relation.schema = schema
    refused(lambda: list(client.execute(plan)))


def artifact(client, name, data, crc=None):
    request = base_pb2.AddArtifactsRequest(**client.names())
    chunk = request.batch.artifacts.add(name=name)
    chunk.data.data = data
    chunk.data.crc = zlib.crc32(data) if crc is None else crc
    return client.stub.AddArtifacts(iter([request]))


@pytest.mark.parametrize("name", ["cache/../x", "/etc/passwd", "../cache/x", "cache/a/../../b", "jars/x.jar"])
def test_artifacts_that_are_refused(client, name):
    refused(lambda: artifact(client, name, b"x"))


def test_an_artifact_with_a_wrong_checksum_is_not_kept(client):
    assert [a.is_crc_successful for a in artifact(client, "cache/aa", b"x", 5).artifacts] == [False]
    request = base_pb2.ArtifactStatusesRequest(**client.names(names=["cache/aa"]))
    assert not client.stub.ArtifactStatus(request).statuses["cache/aa"].exists


def test_an_artifact_that_is_kept(client):
    assert [a.is_crc_successful for a in artifact(client, "cache/bb", b"x").artifacts] == [True]
    request = base_pb2.ArtifactStatusesRequest(**client.names(names=["cache/bb", "cache/cc"]))
    statuses = client.stub.ArtifactStatus(request).statuses
    assert (statuses["cache/bb"].exists, statuses["cache/cc"].exists) == (True, False)


def test_uploaded_rows_that_are_not_there(client):
    plan = base_pb2.Plan()
    plan.root.cached_local_relation.hash = "00"
    refused(lambda: list(client.execute(plan)))


def test_a_token_is_asked_for(tmp_path):
    token = tmp_path / "token"
    token.write_text("secret\n")
    process, port = start_server(tmp_path, "--token-file", str(token))
    try:
        assert refused(lambda: list(Client(port).execute(numbers(1)))).code() == grpc.StatusCode.UNAUTHENTICATED
        wrong = Client(port, metadata=[("authorization", "Bearer secre")])
        assert refused(lambda: list(wrong.execute(numbers(1)))).code() == grpc.StatusCode.UNAUTHENTICATED
        right = Client(port, metadata=[("authorization", "Bearer secret")])
        assert right.rows(numbers(2)) == [(0, 2)]
    finally:
        process.terminate()
        assert process.wait(timeout=20) == 0


def test_another_address_needs_a_token(tmp_path):
    import subprocess

    from conftest import WEIR

    done = subprocess.run([str(WEIR), "server", "--host", "0.0.0.0", "--port", "0"], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2
    assert "token" in done.stderr

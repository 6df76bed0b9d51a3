"""Streams that break, clients that vanish, requests that come twice: nothing runs twice, each row arrives once."""
import threading
import time
import uuid

import grpc
import pytest
from wire import Client, Wire, command, condition_of, ended, numbers, offsets, sql

ROWS = 600_000
LONG = "SELECT count(*) FROM range(2000000000) a WHERE a.id % 7 = 3 AND a.id * a.id % 11 = 5"


@pytest.fixture
def client(port):
    return Client(port)


def refused(call):
    with pytest.raises(grpc.RpcError) as error:
        call()
    return condition_of(error.value)


def check_each_row_once(batches):
    position = 0
    for offset, count in batches:
        assert offset == position
        position += count
    assert position == ROWS


def test_a_stream_cut_behind_any_response_goes_on_where_it_broke(client):
    whole = list(client.execute(numbers(ROWS), str(uuid.uuid4())))
    check_each_row_once(offsets(whole))
    assert ended(whole)
    assert len(offsets(whole)) > 3
    for cut in range(1, len(whole)):
        operation = str(uuid.uuid4())
        stream = client.execute(numbers(ROWS), operation)
        taken = [next(stream) for _ in range(cut)]
        stream.cancel()
        taken += list(client.reattach(operation, taken[-1].response_id))
        check_each_row_once(offsets(taken))
        assert ended(taken)
        client.release(operation)


def test_a_stream_may_break_again_and_again(client):
    operation = str(uuid.uuid4())
    stream = client.execute(numbers(ROWS), operation)
    taken = []
    while not ended(taken):
        taken.append(next(stream))
        stream.cancel()
        if not ended(taken):
            stream = client.reattach(operation, taken[-1].response_id)
    check_each_row_once(offsets(taken))


def test_released_responses_are_gone_and_the_rest_stays(client):
    operation = str(uuid.uuid4())
    taken = list(client.execute(numbers(ROWS), operation))
    client.release(operation, taken[2].response_id)
    assert refused(lambda: list(client.reattach(operation))) == "INVALID_CURSOR.POSITION_NOT_AVAILABLE"
    assert [r.response_id for r in client.reattach(operation, taken[2].response_id)] == [r.response_id for r in taken[3:]]
    client.release(operation)
    assert refused(lambda: list(client.reattach(operation, taken[2].response_id))).startswith("INVALID_HANDLE.OPERATION")
    client.release(operation)


def test_an_unknown_response_is_no_place(client):
    operation = str(uuid.uuid4())
    list(client.execute(numbers(5), operation))
    assert refused(lambda: list(client.reattach(operation, str(uuid.uuid4())))) == "INVALID_CURSOR.POSITION_NOT_FOUND"


def test_an_unknown_operation_is_not_found(client):
    list(client.execute(numbers(5)))
    assert refused(lambda: list(client.reattach(str(uuid.uuid4())))) == "INVALID_HANDLE.OPERATION_NOT_FOUND"


def test_a_request_that_comes_twice_runs_once(client):
    list(client.execute(command("CREATE NAMESPACE IF NOT EXISTS cat.streams")))
    list(client.execute(command("CREATE TABLE IF NOT EXISTS cat.streams.once (k BIGINT) USING iceberg")))
    operation = str(uuid.uuid4())
    insert = command("INSERT INTO cat.streams.once SELECT id FROM range(1)")
    assert ended(list(client.execute(insert, operation)))
    assert refused(lambda: list(client.execute(insert, operation))) == "INVALID_HANDLE.OPERATION_ALREADY_EXISTS"
    other = command("INSERT INTO cat.streams.once SELECT id FROM range(9)")
    assert refused(lambda: list(client.execute(other, operation))) == "INVALID_HANDLE.OPERATION_ALREADY_EXISTS"
    client.release(operation)
    assert refused(lambda: list(client.execute(insert, operation))) == "INVALID_HANDLE.OPERATION_ALREADY_EXISTS"
    assert sum(count for _, count in client.rows(sql("SELECT * FROM cat.streams.once"))) == 1


def test_a_second_request_reads_what_the_first_has_begun(client):
    operation = str(uuid.uuid4())
    first = client.execute(sql(LONG), operation)
    next(first)  # The schema: it runs.
    second = client.execute(sql(LONG), operation)
    assert next(second).operation_id == operation
    assert client.interrupt(interrupt_type=1).interrupted_ids == [operation]
    assert refused(lambda: list(second)) == "OPERATION_CANCELED"


@pytest.mark.parametrize("how", ["all", "tag", "operation"])
def test_an_interrupt_stops_a_running_query(client, how):
    operation = str(uuid.uuid4())
    stream = client.execute(sql(LONG), operation, tags=["slow"])
    next(stream)
    what = {"all": {"interrupt_type": 1}, "tag": {"interrupt_type": 2, "operation_tag": "slow"},
            "operation": {"interrupt_type": 3, "operation_id": operation}}[how]
    asked = time.monotonic()
    assert client.interrupt(**what).interrupted_ids == [operation]
    assert refused(lambda: list(stream)) == "OPERATION_CANCELED"
    # It would run for minutes. How soon it stops is measured in bench/.
    assert time.monotonic() - asked < 20


def test_an_interrupt_of_something_else_stops_nothing(client):
    stream = client.execute(numbers(5), tags=["a"])
    list(stream)
    assert client.interrupt(interrupt_type=2, operation_tag="b").interrupted_ids == []


def test_a_client_that_vanishes_takes_its_query_along(client):
    operation = str(uuid.uuid4())
    stream = client.execute(sql(LONG), operation, reattachable=False)
    next(stream)
    stream.cancel()
    # Its id is remembered as given up once the server has noticed.
    for _ in range(200):
        if refused(lambda: list(client.reattach(operation))) == "INVALID_HANDLE.OPERATION_ABANDONED":
            break
        time.sleep(0.05)
    else:
        pytest.fail("the query of a client that has gone still runs")
    assert client.interrupt(interrupt_type=1).interrupted_ids == []


def test_a_slow_client_holds_the_query_back_and_gets_every_row(client):
    stream = client.execute(numbers(ROWS), str(uuid.uuid4()))
    taken = []
    for response in stream:
        taken.append(response)
        time.sleep(0.01)
    check_each_row_once(offsets(taken))


def test_sessions_of_users_are_apart(port):
    session_id = str(uuid.uuid4())
    one, two = Client(port, "one", session_id), Client(port, "two", session_id)
    plan = command("SET my.key = one")
    list(one.execute(plan))
    server_ids = {next(iter(c.execute(numbers(1)))).server_side_session_id for c in (one, two)}
    assert len(server_ids) == 2


def test_session_ids_are_checked(port):
    assert refused(lambda: list(Client(port, session_id="no-uuid").execute(numbers(1)))) == "INVALID_HANDLE.FORMAT"
    client = Client(port)
    request = client.request(numbers(1))
    request.client_observed_server_side_session_id = str(uuid.uuid4())
    assert refused(lambda: list(client.stub.ExecutePlan(request))) == "INVALID_HANDLE.SESSION_CHANGED"


def test_a_closed_session_stays_closed(client):
    from pyspark.sql.connect.proto import base_pb2

    list(client.execute(numbers(1)))
    client.stub.ReleaseSession(base_pb2.ReleaseSessionRequest(**client.names()))
    assert refused(lambda: list(client.execute(numbers(1)))) == "INVALID_HANDLE.SESSION_CLOSED"


def test_pyspark_gets_every_row_through_a_wire_that_breaks(port):
    from pyspark.sql.connect.session import SparkSession

    wire = Wire(port, 1_500_000)
    try:
        spark = SparkSession.builder.remote(f"sc://127.0.0.1:{wire.address}/;session_id={uuid.uuid4()}").create()
        table = spark.range(ROWS).toArrow()
        assert table.column("id").to_pylist() == list(range(ROWS))
        assert wire.broken >= 2
    finally:
        wire.close()


def test_many_clients_at_once(port):
    failures = []

    def work(number):
        try:
            own = Client(port)
            for _ in range(5):
                check_each_row_once(own.rows(numbers(ROWS)))
        except Exception as error:  # noqa: BLE001: whatever it is fails the test.
            failures.append((number, error))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []

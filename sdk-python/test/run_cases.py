"""Runs the table of cases that every SDK runs (sdk/cases/README.md), with one of the two clients.

    python run_cases.py sync FOLDER_OF_CASES

Prints a line of JSON for each case: its name, and what is wrong.
"""

from __future__ import annotations

import asyncio
import http.client
import inspect
import json
import os
import re
import secrets
import sys
import traceback
from contextlib import closing
from pathlib import Path
from typing import Any

from venue_data import AsyncVenueData, MemoryCursor, OutcomeUnknownError, VenueData
from venue_data.webhooks import verify_webhook
from virtual import VirtualClock, client_options

URL = os.environ["VENUE_DATA_URL"]
KEYS = {
    "write": os.environ["VENUE_DATA_KEY"],
    "read": os.environ["VENUE_DATA_READ_KEY"],
    "none": f"service_sk_{'0' * 40}",
}

is_async = sys.argv[1] == "async"
plain = VenueData(key=KEYS["write"], base_url=URL)
loop = asyncio.new_event_loop()
MISSING = object()


def control(path: str, body: Any = None) -> Any:
    """Tells the proxy what to do, or asks it what came. (http.client sends all at once, unlike older versions of httpx.)"""
    with closing(http.client.HTTPConnection(URL.removeprefix("http://"))) as proxy:
        proxy.request("POST", path, json.dumps(body))
        text = proxy.getresponse().read()
    return json.loads(text) if text else None


def wait(given: Any) -> Any:
    """What a call of either client gives in the end."""
    return loop.run_until_complete(given) if inspect.isawaitable(given) else given


async def gathered(items: Any) -> list[Any]:
    return [item async for item in items]


def items_of(given: Any) -> list[Any]:
    return wait(gathered(given)) if is_async else list(given)


def run_case(written: dict[str, Any]) -> None:
    known: dict[str, Any] = {"unique": secrets.token_hex(8)}
    control("/__script", [])
    ask(written.get("setup", []), known)
    one = filled(written, known)
    control("/__script", one.get("script", []))
    key = KEYS[one.get("key", "write")]
    clock = VirtualClock()
    outcome = outcome_of(client(clock, key, one.get("client", {})), one)
    compare(one["expect"], outcome, control("/__log"), clock.waits, key)
    ask(written.get("after", []), known)


def client(clock: VirtualClock, key: str, settings: dict[str, Any]) -> Any:
    names = {"timeoutSeconds": "timeout", "attemptSeconds": "attempt_timeout", "retries": "retries"}
    given = {names[name]: value for name, value in settings.items()}
    kind: Any = AsyncVenueData if is_async else VenueData
    return kind(key=key, base_url=URL, **given, **client_options(clock, is_async))


def ask(calls: list[dict[str, Any]], known: dict[str, Any]) -> None:
    for call in calls:
        parts = filled(call, known)
        name, expect = parts.pop("as", None), parts.pop("expect", MISSING)
        body = plain.call(**arguments(parts))
        if name is not None:
            known[name] = body
        if expect is not MISSING:
            matches(body, expect, "after")


def arguments(call: dict[str, Any]) -> dict[str, Any]:
    operation_id = call.pop("operation")
    return {"operation_id": operation_id, **{snake(name): value for name, value in call.items()}}


def outcome_of(venue: Any, one: dict[str, Any]) -> dict[str, Any]:
    try:
        return act(venue, one)
    except OutcomeUnknownError as error:
        if one.get("call", {}).get("resolve"):
            return {"result": wait(error.aresolve()) if is_async else error.resolve()}
        return {"error": error}
    except Exception as error:
        return {"error": error}
    finally:
        wait(venue.aclose() if is_async else venue.close())


def act(venue: Any, one: dict[str, Any]) -> dict[str, Any]:
    if "verify" in one:
        verify = dict(one["verify"])
        now = verify.pop("now")
        given: dict[str, Any] = {snake(name): value for name, value in verify.items()}
        return {"result": verify_webhook(now=lambda: now, **given)}
    if "follow" in one:
        follow = dict(one["follow"])
        feed = getattr(venue, follow.pop("feed"))
        return {"result": items_of(feed(live=False, **follow))}
    if "sync" in one:
        return {"result": copied(venue, one["sync"])}
    call = dict(one["call"])
    read = call.pop("read", None)
    call.pop("resolve", None)
    if read:
        words = {snake(name): value for name, value in call.get("query", {}).items()}
        return {"result": wait(list_for(venue, call["operation"])(**words).all())}
    answer = wait(venue.with_answer(venue.call, **arguments(call)))
    return {"result": answer.body, "answer": answer}


def list_for(venue: Any, operation: str) -> Any:
    """The list of an operation, as its namespace has it."""
    return getattr(venue, snake(operation.removeprefix("list")).lstrip("_")).list


def copied(venue: Any, given: dict[str, Any]) -> dict[str, Any]:
    done: dict[str, list[Any]] = {"upserted": [], "deleted": []}

    class Copy:
        def upsert(self, change: Any, /) -> None:
            done["upserted"].append({"kind": change["kind"], "id": change["id"]})

        def delete(self, record: Any, /) -> None:
            done["deleted"].append({"kind": record["kind"], "id": record["id"]})

        def records(self) -> list[Any]:
            return given.get("records", [])

    wait(venue.sync(into=Copy(), store=MemoryCursor(given.get("after")), live=False, kinds=given.get("kinds")))
    return done


def compare(
    expect: dict[str, Any], outcome: dict[str, Any], seen: list[Any], waits: list[float], key: str
) -> None:
    error = outcome.get("error")
    if error is not None:
        for text in (str(error), repr(error), repr(vars(error)), shown_locals(error)):
            shown = [line for line in text.split("\n") if key in line]
            assert not shown, f"the key is in an error: {shown}"
        if "error" not in expect:
            raise error
        wanted = dict(expect["error"])
        name = wanted.pop("class", None)
        family = [one.__name__ for one in type(error).__mro__]
        assert name is None or name in family, f"{family} is no {name}: {error}"
        matches({field: getattr(error, snake(field), None) for field in wanted}, wanted, "error")
    else:
        assert "error" not in expect, f"it gave {outcome.get('result')}"
    if "result" in expect:
        matches(outcome.get("result"), expect["result"], "result")
    if "answer" in expect:
        answer, wanted = outcome["answer"], dict(expect["answer"])
        if wanted.pop("etag", False):
            assert answer.etag, "no etag"
        matches(vars(answer), wanted, "answer")
    if "attempts" in expect:
        matches(len(seen), expect["attempts"], "attempts")
    if "waits" in expect:
        matches([round(one, 3) for one in waits], expect["waits"], "waits")
    if "paths" in expect:
        matches([in_order(one["path"]) for one in seen], [in_order(path) for path in expect["paths"]], "paths")
    if "idempotencyKey" in expect:
        compare_keys(expect["idempotencyKey"], {one["headers"].get("idempotency-key") for one in seen})
    if "sent" in expect:
        first = seen[0]
        body = json.loads(first["body"]) if first["body"] else first["body"]
        matches({**first, "body": body}, expect["sent"], "sent")


def shown_locals(error: BaseException) -> str:
    """What the tools show that print the variables of every frame, as far as the frames are of the package."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    assert told.__suppress_context__ or told.__context__ is None, "an error that holds on to another"
    return "\n".join(str(frame.locals) for frame in told.stack if "venue_data" in frame.filename)


def in_order(path: str) -> str:
    """A path with the words of its query in the order of the alphabet."""
    place, _, words = path.partition("?")
    return f"{place}?{'&'.join(sorted(words.split('&')))}"


def compare_keys(expected: str, given: set[Any]) -> None:
    if expected == "none":
        assert given == {None}, f"keys {given}"
    elif expected == "same":
        assert len(given) == 1 and None not in given, f"keys {given}"
    else:
        assert given == {expected}, f"keys {given}"


def matches(actual: Any, expected: Any, where: str) -> None:
    """Everything that is named is there and alike; others may be there, too."""
    if isinstance(expected, list):
        assert isinstance(actual, list), f"{where}: {actual!r} is no list"
        assert len(actual) == len(expected), f"{where}: {len(actual)} in place of {len(expected)}"
        for i, one in enumerate(expected):
            matches(actual[i], one, f"{where}[{i}]")
    elif isinstance(expected, dict):
        if isinstance(actual, list) and "length" in expected:
            assert len(actual) == expected["length"], f"{where}: {len(actual)} items"
            return
        assert isinstance(actual, dict), f"{where}: {actual!r} has no fields"
        for field, one in expected.items():
            matches(actual.get(field), one, f"{where}.{field}")
    else:
        assert actual == expected and isinstance(actual, bool) == isinstance(expected, bool), (
            f"{where}: {actual!r} in place of {expected!r}"
        )


def filled(value: Any, known: dict[str, Any]) -> Any:
    """With the names between braces replaced."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\{\{([\w.]+)\}\}", value)
        if whole:
            return value_of(whole[1], known)
        return re.sub(r"\{\{([\w.]+)\}\}", lambda found: str(value_of(found[1], known)), value)
    if isinstance(value, list):
        return [filled(one, known) for one in value]
    if isinstance(value, dict):
        return {name: filled(one, known) for name, one in value.items()}
    return value


def value_of(name: str, known: dict[str, Any]) -> Any:
    at: Any = known
    for field in name.split("."):
        if field not in at:
            # What comes later is left as it is until then.
            return "{{" + name + "}}"
        at = at[field]
    return at


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


for path in sorted(Path(sys.argv[2]).glob("*.json")):
    for case in json.loads(path.read_text(encoding="utf-8")):
        try:
            run_case(case)
            wrong = None
        except Exception as error:
            wrong = "".join(traceback.format_exception(error))
        print(json.dumps({"name": case["name"], "wrong": wrong}), flush=True)

"""The story in Python. It prints the same as story.ts."""

from __future__ import annotations

import base64
import json
import os
import time
import urllib.request
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, List, Tuple

from disburse import (
    Disburse,
    DisburseError,
    WebhookVerificationError,
    sign_v1,
    sign_v2,
    webhooks,
)
from disburse.schemas import EventType, NewPayout, NewReceiver, ReceiversFilter

given = json.loads(os.environ["STORY"])
key, secret, base_url = given["key"], given["secret"], given["baseUrl"]
hook_url, vectors = given["hookUrl"], given["vectors"]
disburse = Disburse(key, secret, base_url)

person: NewReceiver = {
    "first_name": "Zoë",
    "last_name": "O'Brien",
    "email": "zoe@example.com",
    "dob": "1990-02-28",
    "dialcode": "61",
    "phone": "412345678",
    "address": "1 St. Kilda Road",
    "address2": "",
    "gender": "F",
    "city": "Melbourne",
    "state": "VIC",
    "postcode": "3004",
    "country": "AUS",
    "reference": "customer 7",
}


def failure(call: Callable[[], object]) -> object:
    """What a caller sees of a failure."""
    try:
        call()
        return "no failure"
    except WebhookVerificationError as error:
        return error.reason
    except DisburseError as error:
        fields = [[one["code"], one.get("field")] for one in error.errors]
        name = type(error).__name__.replace("Error", "")
        return {"name": name, "code": error.code, "status": error.status, "fields": fields}
    except (ValueError, TypeError):
        return "not sent"


def receivers() -> Tuple[str, object]:
    made = disburse.receivers.create(person)
    id = made["receiver_id"]
    created = disburse.receivers.get(id)
    changed = disburse.receivers.update(id, {"phone": "412345679"})
    disburse.test_helpers.set_status({"id": id, "type": "kyc", "status": "success"})

    def count_of(filter: ReceiversFilter) -> int:
        return len(disburse.receivers.list(filter).to_list())

    status = disburse.receivers.get(id)["status"]
    history = disburse.receivers.history(id).to_list()
    return id, {
        "code": made["kyc_status"],
        "name": f"{created['first_name']} {created['last_name']}",
        "city": created["address_data"]["city"],
        "phone": changed["phone"],
        "status": status,
        "listed": [
            count_of({"email": "ZOE@example.com"}),
            count_of({"status": "active", "kyc_status": "completed"}),
            count_of({"status": "failed"}),
        ],
        "history": [history[0]["to"]["status"], history[-1]["from"]],
    }


def accounts(receiver_id: str) -> Tuple[str, object]:
    checked = disburse.receiver_accounts.validate(
        {
            "account_type": "I",
            "account_number": "012345678",
            "bsb": "062000",
            "country": "AUS",
        }
    )
    made = disburse.receiver_accounts.create(
        {
            "receiver_id": receiver_id,
            "account_type": "I",
            "account_number": "012345678",
            "bsb": "062000",
        }
    )
    id = made["account_id"]
    changed = disburse.receiver_accounts.update(id, {"aka": "Zoë B."})
    return id, {
        "checked": checked["bank_account_data"]["bsb"],
        "status": made["status"],
        "aka": changed["aka"],
        "number": disburse.receiver_accounts.get(id)["bank_account_data"]["account_number"],
        "listed": len(disburse.receiver_accounts.list(receiver_id)),
        "schema": disburse.receiver_accounts.schema("AUS")["type"],
    }


def paying(amount: Any, reference: str, account_id: str = "") -> NewPayout:
    return {
        "receiver_id": payee["receiver_id"],
        "account_id": account_id or payee["account_id"],
        "amount": amount,
        "currency": "AUD",
        "reference": reference,
    }


def payouts() -> Tuple[str, object]:
    funded = disburse.test_helpers.fund({"amount": "1000000", "currency": "AUD"})
    dry_run = disburse.payouts.validate(paying(12_500, "invoice 7"))
    id = disburse.payouts.create(paying(12_500, "invoice 7"), idempotency_key="invoice-7")["payout_id"]
    again = disburse.payouts.create(paying(12_500, "invoice 7"), idempotency_key="invoice-7")
    made = disburse.payouts.create_batch([paying(5_000, "invoice 8"), paying("20000", "invoice 9")])
    batch = disburse.payouts.batch(made["batch_id"])
    cancelled = disburse.payouts.cancel(made["payouts"][0]["payout_id"])
    disburse.test_helpers.set_status({"id": id, "type": "payout", "status": "success"})
    paid = disburse.payouts.get(id)
    stage = disburse.payouts.history(id)[0]["to"]["stage"]
    later = datetime.now(timezone.utc) + timedelta(hours=1)
    first_day, last_day = given["days"]["from"], given["days"]["to"]
    statement = disburse.balance.statement(
        {"currency": "AUD", "from": first_day, "to": last_day}
    )
    currency = disburse.balance.funding()["currencies"][0]
    return id, {
        "funded": funded["available"],
        "accepted": dry_run["accepted"],
        "isSame": again["payout_id"] == id,
        "batch": [batch["count"], batch["totals"]],
        "cancelled": cancelled["stage"],
        "paid": [paid["status"], paid["stage"], paid["amount"], stage],
        "failed": [
            one["reference"]
            for one in disburse.payouts.list({"status": "failed", "from": "2024-11-15"})
        ],
        "none": len(disburse.payouts.list({"from": later}).to_list()),
        "balance": disburse.balance.get()[0],
        "entries": [
            one["kind"] for one in disburse.balance.entries({"currency": "AUD", "limit": 2})
        ],
        "statement": [[line["kind"], line["amount"]] for line in statement["lines"]],
        "depositReference": len(currency["deposit_reference"]) > 0,
    }


def refusals(paid_id: str) -> object:
    unknown = "0190f3a2-7b3c-7d1e-8f00-0123456789ab"
    reader = given["reader"]
    wrong = person.copy()
    wrong.update({"email": "wrong", "country": "Australia"})
    other = Disburse
    return {
        "unknownReceiver": failure(lambda: disburse.receivers.get(unknown)),
        "unknownEvent": failure(lambda: disburse.events.get("evt_1")),
        "takenEmail": failure(lambda: disburse.receivers.create(person)),
        "wrongFields": failure(lambda: disburse.receivers.create(wrong)),
        "wrongFilter": failure(lambda: disburse.payouts.list({"limit": 5000}).page()),
        "unknownAccount": failure(lambda: disburse.payouts.create(paying(1, "a", unknown))),
        "duplicate": failure(lambda: disburse.payouts.create(paying(12_500, "invoice 7"))),
        "wrongRow": failure(
            lambda: disburse.payouts.create_batch([paying(1, "b"), paying(0, "c")])
        ),
        "funds": failure(lambda: disburse.payouts.create(paying(10**12, "d"))),
        "paid": failure(lambda: disburse.payouts.cancel(paid_id)),
        "usedKey": failure(
            lambda: disburse.payouts.create(paying(1, "e"), idempotency_key="invoice-7")
        ),
        "wrongSecret": failure(lambda: other(key, "sk_test_wrong", base_url).balance.get()),
        "unknownKey": failure(lambda: other("ak_test_unknown", secret, base_url).balance.get()),
        "reader": failure(
            lambda: other(reader["key"], reader["secret"], base_url).receivers.create(person)
        ),
        "wrongPath": failure(lambda: other(key, secret, f"{base_url}/elsewhere").balance.get()),
        "wrongKey": failure(
            lambda: disburse.receivers.create(person, idempotency_key="two words")
        ),
        "emptyId": failure(lambda: disburse.receivers.get("")),
        "dots": failure(lambda: disburse.receivers.delete("..")),
        "swapped": failure(lambda: other(secret, secret, base_url)),
    }


retrying = Disburse(key, secret, given["proxyUrl"], max_retries=6)


def retries() -> object:
    for number in range(1, 31):
        retrying.payouts.create(paying(100 + number, f"retried {number}"))
    retrying.receivers.update(payee["receiver_id"], {"phone": "412345670"})
    made = [
        one
        for one in retrying.payouts.list({"limit": 5, "status": "pending"})
        if one["reference"].startswith("retried ")
    ]
    return {
        "made": len(made),
        "different": len({one["reference"] for one in made}),
        "sum": sum(one["amount"] for one in made),
        "held": disburse.balance.get()[0]["held"],
        "phone": disburse.receivers.get(payee["receiver_id"])["phone"],
    }


def paging() -> object:
    made = disburse.payouts.create_batch([paying(1, f"row {index}") for index in range(1050)])
    batch_id = made["batch_id"]
    listed = disburse.payouts.list({"batch_id": batch_id, "limit": 100}).to_list()
    first = disburse.payouts.list({"batch_id": batch_id, "limit": 1000}).page()
    second = first.next()
    assert second is not None and first.next_cursor is not None
    rest = disburse.payouts.list({"batch_id": batch_id, "cursor": first.next_cursor, "limit": 20})
    return {
        "created": len({one["payout_id"] for one in made["payouts"]}),
        "listed": len(listed),
        "different": len({one["id"] for one in listed}),
        "pages": [len(first.items), len(second.items), second.next_cursor],
        "end": second.next(),
        "rest": len(rest.to_list()),
        "some": len(disburse.payouts.list({"batch_id": batch_id, "limit": 2}).to_list(max=5)),
    }


def delivery(id: str) -> Dict[str, Any]:
    while True:
        with urllib.request.urlopen(hook_url) as response:
            found: List[Dict[str, Any]] = json.load(response)
        for one in found:
            if one["headers"]["webhook-id"] == id:
                return one
        time.sleep(0.05)


def hooks() -> object:
    old = disburse.subaccount.update({"postback_url": hook_url}).get("postback_secret", "")
    fresh = disburse.subaccount.rotate_postback_secret({"overlap_s": 3600})["secret"]
    id = disburse.events.test({"type": "payoutFailure", "set": {"reference": "Café"}})["id"]
    delivered = delivery(id)
    headers: Dict[str, str] = delivered["headers"]
    body: str = delivered["body"]
    verified = webhooks.verify(body, headers, [old, fresh])
    event = verified.event
    now_s = int(headers["webhook-timestamp"])

    def fails(text: str, heads: Dict[str, str], secrets: webhooks.Secrets, at: int = 0) -> object:
        return failure(lambda: webhooks.verify(text, heads, secrets, now=now_s + at))

    def own(text: str) -> object:
        return failure(lambda: webhooks.verify(text, webhooks.sign(text, old), old))

    def name(secrets: webhooks.Secrets, at: int, tolerance_s: float = 300) -> str:
        found = webhooks.unwrap(
            body.encode(), list(headers.items()), secrets, now=now_s + at, tolerance_s=tolerance_s
        )
        return found["event"]

    signed = [sign_v1(one["api_key"], one["secret"], ms=int(one["ms"])) for one in vectors["v1"]]
    for one in vectors["v2"]:
        words = [one[name] for name in ("api_key", "secret", "method", "path", "body")]
        signed.append(sign_v2(*words, ms=int(one["ms"]), nonce=one["nonce"]))
    for one in vectors["events"]:
        made = webhooks.sign(
            one["body"], one["secrets"], id=one["id"], timestamp=int(one["timestamp"])
        )
        signed.append(made["webhook-signature"])
    wanted = [one["signature"] for kind in ("v1", "v2", "events") for one in vectors[kind]]
    return {
        "event": [event["event"], event.get("reference"), verified.is_test],
        "old": name(old, 0),
        "fresh": name(fresh, 0),
        "inTime": name(fresh, 300),
        "tolerated": name(fresh, 900, 900),
        "forgedBody": fails(body.replace("Café", "Cafe"), headers, [old, fresh]),
        "forgedId": fails(body, {**headers, "webhook-id": "evt_2"}, [old, fresh]),
        "otherSecret": fails(body, headers, "whsec_" + base64.b64encode(b"\7" * 32).decode()),
        "noSecret": fails(body, headers, []),
        "apiSecret": fails(body, headers, secret),
        "noId": fails(body, {**headers, "webhook-id": ""}, old),
        "milliseconds": fails(body, {**headers, "webhook-timestamp": f"{now_s}000"}, old),
        "noSignature": fails(body, {**headers, "webhook-signature": "v1,abc"}, old),
        "tooOld": fails(body, headers, old, 301),
        "inFuture": fails(body, headers, old, -301),
        "unknown": own('{"event":"payoutLost"}'),
        "notJson": own("event=payoutCreated"),
        "vectors": [one == other for one, other in zip(signed, wanted)],
        "resent": disburse.events.resend(id)["status"],
    }


def feed() -> object:
    newest = disburse.events.list().to_list(max=1)[0]["id"]
    types: List[EventType] = ["payoutCreated", "receiverKycUpdate", "balanceFunded"]
    ids = [disburse.events.test({"type": type})["id"] for type in types]
    heard: List[object] = []
    counts: Dict[str, int] = {}
    for one in retrying.events.listen(newest):
        if one.id not in ids:
            continue
        counts[one.id] = counts.get(one.id, 0) + 1
        is_body = json.loads(one.body)["event"] == one.data["event"]
        heard.append([one.type, one.data["event"], one.resent, one.is_test, is_body])
        if len(heard) == len(types):
            break
    return {"heard": heard, "mostOften": max(counts.values())}


def oddities() -> object:
    """What a caller sees of a server, or a proxy in front of it, that does odd things."""

    def at(path: str, max_retries: int = 2, timeout_ms: int = 30_000) -> Disburse:
        url = f"{given['oddUrl']}/{path}"
        return Disburse(key, secret, url, max_retries=max_retries, timeout_ms=timeout_ms)

    def read(path: str, max_retries: int = 2, timeout_ms: int = 30_000) -> object:
        return failure(lambda: at(path, max_retries, timeout_ms).receivers.get("1"))

    return {
        "silent": read("silent", 0, 300),
        "stalled": read("stalled", 0, 300),
        "dripping": read("dripping", 0, 300),
        "cut": read("cut", 0),
        "cutChunk": read("cut-chunk", 0),
        "gone": read("gone", 0),
        "page": read("page", 0),
        "other": read("other", 0),
        "moved": read("moved"),
        "later": read("later"),
        "broken": read("broken", 1),
        "brokenWrite": failure(lambda: at("broken", 1).receivers.create(person)),
        "busy": at("busy").receivers.create(person)["receiver_id"],
        "running": at("running").receivers.create(person)["receiver_id"],
        "clock": at("clock", 0).receivers.create(person)["receiver_id"],
        "chunked": at("chunked").receivers.get("a b/ü")["id"],
        "statement": at("pages").balance.statement({"currency": "AUD"})["lines"],
        "loop": failure(lambda: at("loop").receivers.list().to_list()),
    }


seen: Dict[str, object] = {}
receiver_id, seen["receivers"] = receivers()
account_id, seen["accounts"] = accounts(receiver_id)
payee = {"receiver_id": receiver_id, "account_id": account_id}
paid_id, seen["payouts"] = payouts()
seen["refusals"] = refusals(paid_id)
seen["retries"] = retries()
seen["paging"] = paging()
seen["webhooks"] = hooks()
seen["feed"] = feed()
seen["oddities"] = oddities()
print(json.dumps(seen))

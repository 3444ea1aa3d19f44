"""Looks at what receiver.py wrote down of requests and mails; for answer.py."""
import json


def of(text, n, question):
    """Of the Nth (from 1) of them, d; its head h; its body b, where that is JSON."""
    d = json.loads(text.splitlines()[n - 1])
    b = json.loads(d["body"]) if d["body"].startswith("{") else {}
    return eval(question, {"d": d, "b": b, "h": d.get("head", {}), "json": json})

import hashlib, hmac, re, time

def verify(secret: str, header: str, body: bytes, now: float = 0) -> bool:
    parts = [part.strip().split("=", 1) for part in header.split(",") if "=" in part]
    t = next((value for name, value in parts if name == "t"), "")
    given = [value for name, value in parts if name == "v1"]
    if not re.fullmatch("[0-9]{1,12}", t) or abs((now or time.time()) - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected.encode(), value.encode()) for value in given)

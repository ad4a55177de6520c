"""Prints what a wheel holds and says about itself, apart from what may differ between the tools that make it."""

import email
import hashlib
import json
import sys
import zipfile

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

with zipfile.ZipFile(sys.argv[1]) as wheel:
    files = {
        name: hashlib.sha256(wheel.read(name)).hexdigest()
        for name in wheel.namelist()
        if ".dist-info/" not in name or name.endswith("LICENSE")
    }
    metadata = email.message_from_bytes(next(wheel.read(name) for name in wheel.namelist() if name.endswith("/METADATA")))
    described = next(wheel.read(name).decode() for name in wheel.namelist() if name.endswith("/WHEEL"))


def normal(field: str, value: str) -> str:
    if field == "Requires-Dist":
        return str(Requirement(value))
    if field == "Requires-Python":
        return str(SpecifierSet(value))
    return value


fields = sorted([field, normal(field, value)] for field, value in metadata.items() if field != "Metadata-Version")
tags = sorted(line for line in described.splitlines() if not line.startswith("Generator"))
print(json.dumps({"files": files, "fields": fields, "tags": tags}))

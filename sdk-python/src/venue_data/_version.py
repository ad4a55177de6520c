"""The version of this package, as `User-Agent` names it."""

version = "0.1.0"

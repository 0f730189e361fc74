from __future__ import annotations

import ast
import json
import re
import sys
import unittest
from dataclasses import dataclass, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple, Union, get_args, get_origin

from patchbay import _routes
from patchbay._connection import NOT_BEGUN, Nothing, Route
from patchbay._wire import _fields_of, wire_names
from patchbay.display import Table

ROOT = Path(__file__).resolve().parents[4]
PACKAGE = ROOT / "clients/python/patchbay"
DOCUMENT: Dict[str, Any] = json.loads((ROOT / "docs/reference/openapi.json").read_text("utf-8"))
ROUTES = {name: route for name, route in vars(_routes).items() if isinstance(route, Route)}


def resolve(schema: Dict[str, Any]) -> Dict[str, Any]:
    while "$ref" in schema:
        target: Any = DOCUMENT
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        schema = target
    return schema


def kinds(schema: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The alternatives of a schema, without null."""
    schema = resolve(schema)
    found = schema.get("anyOf") or schema.get("oneOf")
    if found is None:
        return [] if schema.get("type") == "null" else [schema]
    return [kind for each in found for kind in kinds(each)]


def may_be_null(schema: Dict[str, Any]) -> bool:
    schema = resolve(schema)
    found = schema.get("anyOf") or schema.get("oneOf")
    return schema.get("type") == "null" or any(may_be_null(each) for each in found or [])


def differences(kind: Any, schema: Dict[str, Any], where: str) -> Iterator[str]:
    """Where a type of ours and a schema of the contract do not say the same."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if origin is Union and len(arguments) > 2:
        return
    if origin is Union:
        kind = arguments[0]
    elif may_be_null(schema):
        yield f"{where} may be null"
        return
    for each in kinds(schema):
        yield from _difference(kind, get_origin(kind), get_args(kind), each, where)


def _difference(kind: Any, origin: Any, arguments: Tuple[Any, ...], schema: Dict[str, Any], where: str) -> Iterator[str]:
    wire = schema.get("type") or type(schema.get("const", (schema.get("enum") or [None])[0])).__name__
    if is_dataclass(kind) or is_dataclass(origin):
        if getattr(kind, "IS_TUPLE", False):
            if wire != "array":
                yield f"{where} is {wire}"
            return
        yield from object_differences(origin or kind, arguments, schema, where)
    elif origin in (list, tuple, Table):
        if wire != "array":
            yield f"{where} is {wire}"
        else:
            yield from differences(arguments[0], schema.get("items", {}), f"{where}[]")
    elif origin is dict or kind is dict:
        if wire != "object":
            yield f"{where} is {wire}"
    else:
        expected = {str: ("string", "str"), int: ("integer",), float: ("number", "integer"), bool: ("boolean", "bool"), datetime: ("string", "integer")}
        if wire not in expected[kind]:
            yield f"{where} is {wire}, not {kind.__name__}"
        if kind is str and schema.get("format") == "date-time":
            yield f"{where} is a time"


def object_differences(kind: Any, arguments: Tuple[Any, ...], schema: Dict[str, Any], where: str) -> Iterator[str]:
    properties, required = schema.get("properties", {}), set(schema.get("required", []))
    seen: Set[str] = set()
    for name, expected, has_default in _fields_of(kind):
        key = next((each for each in wire_names(name) if each in properties), None)
        if key is None:
            yield f"{where}.{name} is not of the contract"
            continue
        seen.add(key)
        if key not in required and not has_default:
            yield f"{where}.{key} may be missing"
        exact = expected[arguments] if arguments and getattr(expected, "__parameters__", ()) else expected
        yield from differences(exact, properties[key], f"{where}.{key}")
    for key in set(properties) - seen - LEFT_OUT.get(kind.__name__, set()):
        yield f"{where}.{key} is left out"


#: What Python has no use for.
LEFT_OUT = {"Intent": {"updates_url", "completed"}, "DevicePage": {"canSimulate"}}


class ContractTest(unittest.TestCase):
    def test_endpoints(self) -> None:
        """[PY-9] every endpoint that is asked is in the contract with its method, and its answer is what is expected"""
        self.assertGreater(len(ROUTES), 60)
        found: List[str] = []
        for name, route in ROUTES.items():
            operation = DOCUMENT["paths"].get(route.path, {}).get(route.method.lower())
            if operation is None:
                found.append(f"{name}: {route.method} {route.path} is not of the contract")
                continue
            for status, answer in operation["responses"].items():
                if not status.startswith("2"):
                    continue
                content = resolve(answer).get("content", {})
                if route.answer is Nothing or not content:
                    continue
                if route.answer is bytes:
                    if "application/json" in content:
                        found.append(f"{name}: it answers JSON")
                    continue
                found += [f"{name}: {each}" for each in differences(route.answer, content["application/json"]["schema"], "")]
        self.assertEqual(found, [])

    def test_planted(self) -> None:
        """[PY-9] what is missing, may be missing, may be null or is of another type is found"""

        @dataclass(frozen=True)
        class Planted:
            name: int
            version: Optional[str]
            more: str

        schema = {"type": "object", "required": ["version"], "properties": {"name": {"type": "string"}, "version": {"type": "string"}, "node": {}}}
        found = set(object_differences(Planted, (), schema, ""))
        self.assertEqual(found, {".name may be missing", ".name is string, not int", ".more is not of the contract", ".node is left out"})
        null = {"anyOf": [{"type": "string"}, {"type": "null"}]}
        self.assertEqual(list(differences(str, null, "x")), ["x may be null"])

    def test_everything_is_asked_by_its_route(self) -> None:
        """[PY-9] no address is written anywhere else"""
        for path in PACKAGE.rglob("*.py"):
            if path.name != "_routes.py":
                self.assertIsNone(re.search(r'["\'](?:/api|/auth|/registry)/', path.read_text("utf-8")), path.name)

    def test_codes(self) -> None:
        """[PY-9] every code of a problem that is told apart is one of the contract's"""
        known = set(re.findall(r'"([a-z]+(?:_[a-z]+)+)"', json.dumps(DOCUMENT["components"])))
        known |= set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", json.dumps(DOCUMENT["paths"])))
        named = {*NOT_BEGUN, "intent_expired", "intent_declined", "intent_consumed", "credential_invalid", "sign_in_required", "sharing_not_enabled"}
        self.assertEqual(named - known, set())

    def test_standard_library(self) -> None:
        """[PY-10] it needs nothing but Python: what it imports is its own or of the standard library, and its syntax is that of 3.9"""
        if sys.version_info < (3, 10):
            self.skipTest("this Python does not list its standard library")
        for path in PACKAGE.rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
            for node in ast.walk(tree):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                for name in names:
                    self.assertIn(name.split(".")[0], sys.stdlib_module_names, f"{path.name} imports {name}")

    def test_version(self) -> None:
        """[PY-10] the version is that of all packages, wherever it is named"""
        wanted = json.loads((ROOT / "package.json").read_text("utf-8"))["version"]
        project = (PACKAGE.parent / "pyproject.toml").read_text("utf-8")
        self.assertIn(f'\nversion = "{wanted}"\n', project)
        import patchbay

        self.assertEqual(patchbay.__version__, wanted)

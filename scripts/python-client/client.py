"""The API of a Parley service: a method for each endpoint, by Python's standard library alone.

client = Client("https://meet.example.org", token)
client.list_meetings("me", past=False)["meetingDetails"]
"""

import json
import re
import time
from http.client import HTTPException
from typing import Any, Dict, Iterator, List, Mapping, Optional
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

__all__ = ["Client", "ProblemError"]

Json = Any


class ProblemError(Exception):
    """The service refused a request (RFC 9457). `code` is stable; `problem` is the whole document."""

    def __init__(self, status: int, problem: Mapping[str, Json], headers: Mapping[str, str]):
        super().__init__(problem.get("detail") or f"The answer has the status {status}.")
        self.status = status
        self.code = str(problem.get("code", "unknown"))
        self.problem = problem
        self.headers = headers


class _NoRedirects(HTTPRedirectHandler):
    """The token goes to the service that was named, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Transport:
    def __init__(self, base: str, token: Optional[str] = None, timeout: float = 30):
        """`base` is the address of the service; `timeout`, in seconds, is that of each request."""
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment or "@" in parts.netloc:
            raise ValueError("base must be the address of a Parley service, such as https://meet.example.org")
        self._base = base.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._opener = build_opener(_NoRedirects)

    def _open(self, method: str, path: str, query: Mapping[str, Json], body: Json, headers: Mapping[str, str], accept: str) -> Any:
        sent = {name: _to_text(value) for name, value in query.items() if value is not None}
        url = self._base + path + (f"?{urlencode(sent)}" if sent else "")
        request = Request(url, method=method, headers={"accept": f"{accept}, application/problem+json", **headers})
        if self._token is not None:
            request.add_header("authorization", f"Bearer {self._token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        try:
            return self._opener.open(request, timeout=self._timeout)
        except HTTPError as error:
            raise _to_problem(error) from None

    def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, str],
        query: Mapping[str, Json],
        body: Json = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        accept: str = "application/json",
    ) -> Json:
        filled = re.sub(r":(\w+)", lambda found: quote(params[found[1]], safe=""), path)
        named = {name: value for name, value in (headers or {}).items() if value is not None}
        with self._open(method, filled, query, body, named, accept) as response:
            text = response.read().decode()
            is_json = "json" in (response.headers.get("content-type") or "") and accept == "application/json"
            return json.loads(text) if is_json else text or None

    def follow_events(self, after: Optional[str] = None, types: Optional[List[str]] = None) -> Iterator[Json]:
        """Yield events as they happen, each with its `cursor`, which the next start passes as `after`.

        Reconnects by itself. Ends with a ProblemError when the service refuses the stream.
        """
        failures = 0
        while True:
            try:
                query = {"follow": True, "after": after, "type": ",".join(types) if types else None}
                with self._open("GET", "/api/events", query, None, {}, "text/event-stream") as stream:
                    event: Dict[str, str] = {}
                    for line in stream:
                        failures = 0
                        field, _, value = line.decode().rstrip("\r\n").partition(":")
                        if field:
                            event[field] = value[1:] if value.startswith(" ") else value
                        elif event:
                            after = event.get("id", after)
                            if "data" in event:
                                yield {**json.loads(event["data"]), "cursor": after}
                            event = {}
                        elif line.strip() == b"":
                            event = {}
            except ProblemError as error:
                if error.status < 500 and error.status not in (408, 429):
                    raise
            except (URLError, HTTPException, OSError):
                pass
            failures += 1
            time.sleep(min(30, 2 ** min(failures, 5)))


def _to_text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _to_problem(error: HTTPError) -> ProblemError:
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = {}
    return ProblemError(error.code, problem if isinstance(problem, dict) else {}, dict(error.headers.items()))
